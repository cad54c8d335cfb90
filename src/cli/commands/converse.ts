import { createInterface } from "node:readline";
import type { Agent } from "../../daemon/agent/agent.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { formatApprovalQuestion } from "./approval-question.ts";
import { followTurn } from "./follow-turn.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { showUndeliveredAnswers } from "./show-undelivered.ts";
import { withAgent } from "./with-agent.ts";

const usage = "passepartout [tui] [--session NAME | --continue]";

/** A conversation, a line at a time. Ends at `/exit`, at the end of the input, or at the second Ctrl-C. */
export async function conversationCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    session: { type: "string" },
    continue: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw new UsageError(`'${positionals[0]}' was not expected.\nUsage: ${usage}`);
  if (values.session !== undefined && values.continue) {
    throw new UsageError(`--session and --continue exclude each other.\nUsage: ${usage}`);
  }
  const wanted = { name: values.session ?? null, latest: values.continue, source: "tui" } as const;
  return withAgent(io, "tui", async (daemon) => {
    const session = await daemon.openSession(wanted);
    io.out(`${daemon.greeting}\n`);
    for (const notice of daemon.notices) io.out(`${notice}\n`);
    await showUndeliveredAnswers(daemon, session, io.out);
    return new Promise((resolve, reject) => {
      talk(io, daemon, session, resolve).catch(reject);
    });
  });
}

async function talk(io: Io, daemon: Agent, session: string, done: (code: number) => void): Promise<void> {
  const terminal = io.input.isTTY === true && io.outIsTerminal;
  const lines = createInterface({
    input: io.input,
    output: io.output,
    terminal,
    prompt: terminal ? "> " : "",
  });
  const conversation = {
    busy: 0,
    interrupts: 0,
    token: null as string | null,
    exiting: false,
    leaving: false,
  };
  const follower = followTurn(io, () => null, { json: false, quiet: false });
  const unsubscribe = daemon.subscribe((event: LoopEvent) => {
    if (event.session !== session) {
      if (event.type === "approval-required") {
        io.out(`Session ${event.session} asks:\n${formatApprovalQuestion(event)}`);
      }
      return;
    }
    if (event.type === "approval-required") conversation.token = event.token;
    follower.listen(event);
  });
  /** Without `patience`, in milliseconds, what others do goes on; with it, that is left too. */
  const leave = async (patience: number | null): Promise<void> => {
    if (conversation.leaving) return;
    conversation.leaving = true;
    off();
    lines.close();
    if (patience !== null) await daemon.drain(patience);
    unsubscribe();
    done(exitCodes.done);
  };
  const interrupt = (): void => {
    conversation.interrupts += 1;
    if (conversation.interrupts > 1) {
      void leave(0);
      return;
    }
    io.out("\n(Ctrl-C again leaves)\n");
    daemon.stop(session).then(
      () => lines.prompt(),
      (error: unknown) => io.err(`${String(error)}\n`),
    );
  };
  const off = io.onInterrupt((signal) => (signal === "SIGTERM" ? void leave(5000) : interrupt()));
  lines.on("SIGINT", interrupt);
  const pending = new Set<Promise<void>>();
  lines.on("line", (line) => {
    if (conversation.exiting) return;
    conversation.exiting = isExit(line);
    conversation.interrupts = 0;
    const before = [...pending];
    const work = hear(io, daemon, session, withToken(line, conversation.token))
      .then(async (goes) => {
        if (goes) return;
        if (!terminal) await Promise.allSettled(before);
        await leave(null);
      })
      .catch((error: unknown) => io.err(`${error instanceof Error ? error.message : String(error)}\n`))
      .finally(() => {
        pending.delete(work);
        if (!conversation.leaving) lines.prompt();
      });
    pending.add(work);
  });
  lines.on("close", () => {
    if (conversation.leaving) return;
    Promise.allSettled([...pending]).then(
      () => leave(null),
      (error: unknown) => io.err(`${String(error)}\n`),
    );
  });
  lines.prompt();
}

/** `/approve` and `/deny` alone mean the question that was shown last. */
function withToken(line: string, token: string | null): string {
  return token !== null && /^\s*\/(approve|deny)\s*$/i.test(line) ? `${line.trim()} ${token}` : line;
}

function isExit(line: string): boolean {
  return /^\s*\/exit\s*$/i.test(line);
}

/** Says one line; false means that the conversation ends. */
async function hear(io: Io, daemon: Agent, session: string, line: string): Promise<boolean> {
  if (line.trim() === "") return true;
  if (isExit(line)) return false;
  const said = await daemon.say({ session, text: line, source: "tui" });
  if (said.kind !== "turn") {
    io.out(`${said.text}\n`);
    return true;
  }
  await daemon.whenSettled(said.turn);
  await daemon.markDelivered(said.turn);
  return true;
}
