import { fstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { features } from "../agent/features.ts";
import type { CliCommand, Io, OwnTerminal } from "../kernel/io.ts";
import { findForeignFolder } from "../program/foreign-folder.ts";
import { exitCodes, HelpRequest, UsageError } from "../program/io.ts";
import { describeError } from "../text/describe-error.ts";
import { insteadOf } from "../text/familiar-words.ts";
import { layOutHelp } from "../text/lay-out-help.ts";
import { nearestName } from "../text/nearest-name.ts";
import { escapeForTerminal } from "../text/visible.ts";
import { type StandardError, writeToStandardError } from "./standard-error.ts";
import type { OwnCommand } from "./table/command-table.ts";

/** Where each command of no feature is; it is loaded when it is called. */
const loaders: Readonly<Record<OwnCommand, () => Promise<CliCommand>>> = {
  tui: async () => (await import("./commands/tui.ts")).tuiCommand,
  cli: async () => (await import("./commands/converse.ts")).conversationCommand,
  ask: async () => (await import("./commands/ask.ts")).askCommand,
  approve: async () => (await import("./commands/decide.ts")).approveCommand,
  deny: async () => (await import("./commands/decide.ts")).denyCommand,
  daemon: async () => (await import("./commands/daemon.ts")).daemonCommand,
  emacs: async () => (await import("./commands/emacs.ts")).emacsCommand,
  completion: async () => (await import("./commands/completion.ts")).completionCommand,
  update: async () => (await import("./commands/update.ts")).updateCommand,
};

/** Loads each command by its name. */
type Commands = ReadonlyMap<string, () => Promise<CliCommand>>;

const productCommands: Commands = new Map([
  ...Object.entries(loaders),
  ...features.flatMap(({ commands }) =>
    commands.flatMap(({ name, aliases = [], load }) =>
      [name, ...aliases].map((called) => [called, load] as const),
    ),
  ),
]);

/** The name and version that the program shows. */
type Program = { readonly version: string; readonly description: string };

/** A signal by which a person or the system ends a program. */
type EndingSignal = "SIGINT" | (typeof terminating)[number];

/** What ends a program in order besides Ctrl-C: a plain `kill`, a terminal that was closed, and Ctrl-\\. */
const terminating = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** What commands use of the process that they run in. */
export type CommandProcess = {
  readonly env: Io["environment"];
  readonly cwd: () => string;
  readonly stdin: Io["input"] & { readonly fd?: number };
  readonly stdout: OwnOutput;
  readonly stderr: OwnOutput;
  readonly on: (signal: EndingSignal, listener: () => void) => unknown;
  readonly off: (signal: EndingSignal, listener: () => void) => unknown;
};

/** An output stream; `fd` and the sizes are there where it is a file or a terminal. */
type OwnOutput = StandardError & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Runs the command that the arguments name, or the conversation if they name none. Resolves to its exit code. */
export async function runCommand(
  args: readonly string[],
  program: Program,
  own: CommandProcess = process,
  commands: Commands = productCommands,
): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "--help" || first === "-h" || first === "help") {
    const { programHelp } = await import("./table/program-help.ts");
    writeHelp(programHelp(program), own);
    return exitCodes.done;
  }
  const named = commands.get(first);
  const conversation = first === "" || first.startsWith("-");
  if (named === undefined && !conversation) {
    own.stderr.write(escapeForTerminal(`passepartout: ${noCommand(first)}\n`));
    return exitCodes.usage;
  }
  try {
    for (const { finishInterrupted } of features) await finishInterrupted?.(own.env);
    const io = makeIo(named === undefined ? args : rest, program.version, own);
    const command = await (named ?? (() => conversationFor(io)))();
    return await command(io);
  } catch (error) {
    if (error instanceof HelpRequest) {
      writeHelp(`${error.message}\n`, own);
      return exitCodes.done;
    }
    const why = findForeignFolder(error, own.env) ?? describeError(error);
    own.stderr.write(escapeForTerminal(`passepartout: ${why}\n`));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

function noCommand(name: string): string {
  if (/\s/.test(name.trim()))
    return `There is no command '${name}'. To say it to the agent: passepartout ask TEXT`;
  const instead = insteadOf(name);
  if (instead !== null) return `There is no command '${name}'. ${instead}`;
  const near = nearestName(name, [...productCommands.keys()]);
  const question = near === null ? "" : ` Did you mean ${near}?`;
  return `There is no command '${name}'.${question} List the commands with: passepartout --help`;
}

function writeHelp(text: string, { stdout }: CommandProcess): void {
  stdout.write(layOutHelp(text, stdout.isTTY === true ? (stdout.columns ?? null) : null));
}

/** The conversation that suits where it was started. */
async function conversationFor(io: Io): Promise<CliCommand> {
  const { opensScreen, tuiCommand } = await import("./commands/tui.ts");
  return opensScreen(io) ? tuiCommand : (await import("./commands/converse.ts")).conversationCommand;
}

function makeIo(args: readonly string[], version: string, own: CommandProcess): Io {
  const { stdout, stderr } = own;
  return {
    args,
    environment: own.env,
    cwd: currentFolder(own),
    version,
    out: (text) => void stdout.write(escapeForTerminal(text)),
    err: (text) => writeToStandardError(stderr, escapeForTerminal(text)),
    outIsTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    outputsAreOne:
      stdout.fd !== undefined &&
      stderr.fd !== undefined &&
      isSameFile(fstatSync(stdout.fd), fstatSync(stderr.fd)),
    columns: () => stdout.columns ?? stderr.columns ?? null,
    terminal: ownTerminal(own),
    input: own.stdin,
    inputIsPipe: own.stdin.fd === undefined || fstatSync(own.stdin.fd).isFIFO(),
    output: stdout,
    followZone() {
      // Node looks up the machine's zone again when TZ changes, also where it is deleted and was not there.
      if (process.env["TZ"] === undefined) delete process.env["TZ"];
    },
    onInterrupt(listener) {
      const interrupt = (): void => listener("SIGINT");
      const terminate = (): void => listener("SIGTERM");
      own.on("SIGINT", interrupt);
      for (const signal of terminating) own.on(signal, terminate);
      return () => {
        own.off("SIGINT", interrupt);
        for (const signal of terminating) own.off(signal, terminate);
      };
    },
  };
}

/** The terminal of standard output, or else of standard error. */
function ownTerminal({ stdout, stderr }: CommandProcess): OwnTerminal {
  const stream = [stdout, stderr].find(({ isTTY }) => isTTY);
  return {
    size() {
      const { rows = 0, columns = 0 } = stream ?? {};
      return rows > 0 && columns > 0 ? { rows, columns } : null;
    },
    onResize(listener) {
      stream?.on("resize", listener);
      return () => stream?.off("resize", listener);
    },
  };
}

function currentFolder({ cwd }: CommandProcess): string {
  try {
    return realpathSync(cwd());
  } catch (fault) {
    if (!(fault instanceof Error && "code" in fault && fault.code === "ENOENT")) throw fault;
    throw new UsageError(
      statSync(".").nlink > 0
        ? "The path of the folder that you are in is not UTF-8 text. Rename that folder or go to another one, then start again."
        : "The folder that you are in was removed. Go to another one with cd, then start again.",
    );
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
