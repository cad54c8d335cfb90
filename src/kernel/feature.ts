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
 * A command of the command line: what help, completion and the man page tell of it, and where it is. It is
 * loaded when it is called.
 */
export type ProgramCommand = {
  readonly group: CommandGroup;
  readonly spec: CommandSpec;
  readonly load: () => Promise<CliCommand>;
};

/** What a feature adds to the program. */
export type Feature = {
  readonly commands: readonly ProgramCommand[];
  /** Finishes what a kill interrupted, before a command reads settings or state. */
  readonly finishInterrupted?: (environment: Io["environment"]) => Promise<void>;
};
