import type { Agent } from "../../daemon/agent/agent.ts";
import { followTurn } from "./follow-turn.ts";
import { exitCodes, type Io, readStandardInput, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { runInterruptibly, waitForResumedTurns } from "./run-interruptibly.ts";
import { showUndeliveredAnswers } from "./show-undelivered.ts";
import { withAgent } from "./with-agent.ts";

const usage =
  "passepartout ask [--json] [--quiet] [--session NAME | --continue] TEXT   (or the text on standard input)";

/** Says one thing and prints the answer. Exit code: what became of the turn. */
export async function askCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    json: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    session: { type: "string" },
    continue: { type: "boolean", default: false },
  });
  if (values.session !== undefined && values.continue) {
    throw new UsageError(`--session and --continue exclude each other.\nUsage: ${usage}`);
  }
  const text = positionals.length > 0 ? positionals.join(" ") : await readStandardInput(io);
  if (text.trim() === "") throw new UsageError(`There is nothing to ask.\nUsage: ${usage}`);
  const { json, quiet } = values;
  const name = values.session ?? null;
  const latest = values.continue || (name === null && /^\s*\/[a-z]/i.test(text));
  return withAgent(io, "cli", async (daemon) => {
    if (!quiet) for (const notice of daemon.notices) io.err(`${notice}\n`);
    const session = await daemon.openSession({ name, latest, source: "cli", own: quiet });
    if (!quiet) await showUndeliveredAnswers(daemon, session, io.err);
    return say(io, daemon, { session, text, json, quiet });
  });
}

type Saying = {
  readonly session: string;
  readonly text: string;
  readonly json: boolean;
  readonly quiet: boolean;
};

async function say(io: Io, daemon: Agent, { session, text, json, quiet }: Saying): Promise<number> {
  let mine: string | null = null;
  const follower = followTurn(io, () => mine, { json, quiet });
  const unsubscribe = daemon.subscribe((event) => {
    if (mine === null && event.type === "accepted" && event.session === session) mine = event.turn;
    if (mine !== null) follower.listen(event);
  });
  try {
    return await runInterruptibly(
      io,
      daemon,
      () => session,
      async () => {
        const said = await daemon.say({ session, text, source: "cli" });
        switch (said.kind) {
          case "said":
            io.out(
              json
                ? `${JSON.stringify({ event: "answered", session, turn: null, text: said.text })}\n`
                : `${said.text}\n`,
            );
            return exitCodes.done;
          case "refused":
            io.err(`${said.text}\n`);
            return exitCodes.failed;
          case "turn":
            mine = said.turn;
            await daemon.whenSettled(said.turn);
            await daemon.markDelivered(said.turn);
            if (follower.exitCode() !== exitCodes.approvalPending) await waitForResumedTurns(io, daemon);
            return follower.exitCode();
        }
      },
    );
  } finally {
    unsubscribe();
  }
}
