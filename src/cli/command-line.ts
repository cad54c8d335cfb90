import { realpathSync } from "node:fs";
import { escapeForTerminal } from "../gate/visible.ts";
import { type CliCommand, exitCodes, HelpRequest, type Io, UsageError } from "./commands/io.ts";

/** Every command by name, loaded when it is called. */
const commands: ReadonlyMap<string, () => Promise<CliCommand>> = new Map([
  ["tui", async () => (await import("./commands/converse.ts")).conversationCommand],
  ["ask", async () => (await import("./commands/ask.ts")).askCommand],
  ["approve", async () => (await import("./commands/decide.ts")).approveCommand],
  ["deny", async () => (await import("./commands/decide.ts")).denyCommand],
  ["judge", async () => (await import("./commands/judge.ts")).judgeCommand],
  ["journal", async () => (await import("./commands/journal.ts")).journalCommand],
  ["agenda", async () => (await import("./commands/agenda.ts")).agendaCommand],
  ["query", async () => (await import("./commands/query.ts")).queryCommand],
  ["org", async () => (await import("./commands/org.ts")).orgCommand],
  ["memory", async () => (await import("./commands/memory.ts")).memoryCommand],
  ["recall-bench", async () => (await import("./commands/recall-bench.ts")).recallBenchCommand],
  ["context", async () => (await import("./commands/context.ts")).contextCommand],
  ["daemon", async () => (await import("./commands/daemon.ts")).daemonCommand],
  ["doctor", async () => (await import("./commands/doctor.ts")).doctorCommand],
  ["diagnostics", async () => (await import("./commands/doctor.ts")).doctorCommand],
]);

/** What the program says of itself. */
type Program = { readonly version: string; readonly description: string };

const help = ({ version, description }: Program): string => `passepartout ${version}: ${description}

  passepartout [--session NAME | --continue]     a conversation, line by line (also: passepartout tui)
  passepartout ask [--json] [--quiet] [--session NAME | --continue] TEXT
                                                 one question; TEXT or standard input; prints the answer
  passepartout approve [--json] [--quiet] TOKEN  says yes to what waits, and follows it to its end
  passepartout deny [--json] TOKEN               says no to it
  passepartout judge [--json] [--workspace DIR]  judges actions, one a line of standard input; runs nothing
  passepartout journal tail|verify|why ID|replay [--json]
  passepartout agenda [FILE…] [--from DAY] [--days N] [--inactive] [--json]
                                                 what is due: the week of today, or the days asked for
  passepartout query EXPR [FILE…] [--json] [--tree]
                                                 finds headlines by tags, properties, TODO words, dates and text
  passepartout org parse|print|check|edit FILE   files of Org: their trees, what is wrong in them, edits as Emacs makes them
  passepartout memory snapshot|history|rollback|show|search|verify|rebuild|forget [--json]
  passepartout recall-bench FILE… [--json]       how well is found what was said, on conversations with questions
  passepartout context [--focus ID] [--why ID] [--json] [WORDS]
                                                 what the model would see of your notes, and why
  passepartout daemon [--port N]                 the agent as a service, in the foreground; other commands then use it
  passepartout doctor [--json]                   what is healthy and what is not (also: diagnostics)
  passepartout --version | --help | COMMAND --help

Exit codes: 0 answered or done, 1 failed, 2 wrong use, 3 blocked, 4 approval pending, 5 over budget, 6 no provider could answer.
In a conversation and in ask: /help /exit /status /stop /approve TOKEN /deny TOKEN /undo /rollback /focus /trust /forget /search /note
`;

/** Runs the command that these arguments name, the conversation where they name none; gives its exit code. */
export async function runCommand(args: readonly string[], program: Program): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "--help" || first === "-h" || first === "help") {
    process.stdout.write(help(program));
    return exitCodes.done;
  }
  const named = commands.get(first);
  const conversation = first === "" || first.startsWith("-");
  if (named === undefined && !conversation) {
    process.stderr.write(
      escapeForTerminal(`passepartout: there is no command '${first}'. passepartout --help lists them.\n`),
    );
    return exitCodes.usage;
  }
  const command =
    named === undefined ? (await import("./commands/converse.ts")).conversationCommand : await named();
  try {
    return await command(edge(named === undefined ? args : rest, program.version));
  } catch (error) {
    if (error instanceof HelpRequest) {
      process.stdout.write(`${error.message}\n`);
      return exitCodes.done;
    }
    const usage = error instanceof UsageError;
    process.stderr.write(
      escapeForTerminal(`passepartout: ${error instanceof Error ? error.message : String(error)}\n`),
    );
    return usage ? exitCodes.usage : exitCodes.failed;
  }
}

function edge(args: readonly string[], version: string): Io {
  return {
    args,
    environment: process.env,
    cwd: realpathSync(process.cwd()),
    version,
    out: (text) => void process.stdout.write(escapeForTerminal(text)),
    err: (text) => void process.stderr.write(escapeForTerminal(text)),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    input: process.stdin,
    output: process.stdout,
    onInterrupt(listener) {
      const interrupt = (): void => listener("SIGINT");
      const terminate = (): void => listener("SIGTERM");
      process.on("SIGINT", interrupt).on("SIGTERM", terminate);
      return () => process.off("SIGINT", interrupt).off("SIGTERM", terminate);
    },
  };
}
