/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  blocked: 3,
  approvalPending: 4,
  overBudget: 5,
  noProvider: 6,
} as const;

/** The command line's edge: what a command may see of its process. */
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
  /** Standard input as bytes; a command that does not read it leaves it alone. */
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  /** Calls back on Ctrl-C and on SIGTERM until the returned function is called. */
  readonly onInterrupt: (listener: (signal: "SIGINT" | "SIGTERM") => void) => () => void;
};

/** A command of the command line: takes its edge, gives its exit code. */
export type CliCommand = (io: Io) => Promise<number>;

/** A wrong use of a command; the message says how it is used. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Somebody asked how a command is used; the message says it. No error: it goes to standard output, with exit code 0. */
export class HelpRequest extends Error {
  override readonly name = "UsageAsked";
}

/** All of standard input as text. */
export async function readStandardInput(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.input) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks).toString("utf8");
}
