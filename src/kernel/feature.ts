import type { CommandSpec } from "../text/command-spec.ts";
import type { CliCommand, Io } from "./io.ts";

/** The headings of the list of all commands. */
export type CommandGroup =
  | "Talk"
  | "Set up"
  | "Read your notes"
  | "See what it may do, did and spent"
  | "Keep it running";

/**
 * A command of the command line: its spec, from which help, completion and the man page are
 * made, and where it is. Each is loaded when it is needed.
 */
export type ProgramCommand = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: CommandGroup;
  readonly spec: () => Promise<CommandSpec>;
  readonly load: () => Promise<CliCommand>;
};

/** What a feature adds to the program. */
export type Feature = {
  readonly commands: readonly ProgramCommand[];
  /** Finishes what a kill interrupted, before a command reads settings or state. */
  readonly finishInterrupted?: (environment: Io["environment"]) => Promise<void>;
};
