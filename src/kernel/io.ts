import type { TerminalSize } from "../text/terminal-size.ts";

/** The terminal of a person: its size, null without one, and a listener to each change of it until the returned function is called. */
export type OwnTerminal = {
  readonly size: () => TerminalSize | null;
  readonly onResize: (listener: () => void) => () => void;
};

/** What a command may see and do of its process: its arguments, environment, streams and signals. */
export type Io = {
  /** Arguments after the command's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Real absolute path of the folder that the command was started in. */
  readonly cwd: string;
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Whether standard output and standard error are one terminal, pipe or file, so that whoever reads one reads the other between its lines. */
  readonly outputsAreOne: boolean;
  /** The columns of the terminal that output goes to; null without one. */
  readonly columns?: () => number | null;
  /** The size of the terminal that output goes to. Default: there is none. */
  readonly terminal?: OwnTerminal;
  /** Standard input as bytes; a command that does not read it leaves it alone. */
  readonly input: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly setRawMode?: (raw: boolean) => unknown;
    /** Gives up what is still to come. */
    readonly destroy?: () => unknown;
  };
  /** Whether standard input is a pipe of a shell. */
  readonly inputIsPipe: boolean;
  readonly output: NodeJS.WritableStream;
  /** Takes over the zone that the machine has now. */
  readonly followZone?: () => void;
  /**
   * Calls the listener on Ctrl-C, and as for SIGTERM on SIGHUP and SIGQUIT too, until the returned function
   * is called.
   */
  readonly onInterrupt: (listener: (signal: "SIGINT" | "SIGTERM") => void) => () => void;
};

/** A command of the command line. Resolves to its exit code. */
export type CliCommand = (io: Io) => Promise<number>;
