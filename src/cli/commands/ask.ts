import type { Agent } from "../../daemon/agent/agent.ts";
import { TurnFollower } from "./follow-turn.ts";
import { exitCodes, type Io, readStandardInput, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { runInterruptibly, waitForResumedTurns } from "./run-interruptibly.ts";
import { Screen } from "./screen.ts";
import { showUndeliveredAnswers } from "./show-undelivered.ts";
import { withAgent } from "./with-agent.ts";

const usage = `passepartout ask [--json] [--quiet] [--session NAME | --continue] TEXT
Asks one question, or gives one order, and prints the answer. Without TEXT, it is read from standard input.
  --session NAME  asks in the session with this name; the default is a new session
  --continue      asks in the last session of this folder
  --json          prints every event of the turn as a line of JSON
  --quiet         prints the answer alone, without progress
A command such as /undo or /status is TEXT too; it goes to the last session of this folder. What comes by standard input is never a command.
Exit codes: 0 answered, 1 failed or stopped, 2 wrong usage, 3 blocked, 4 approval pending, 5 over budget, 6 no provider could answer.`;

/** Asks one thing and prints the answer. The exit code says how the turn ended. */
export async function askCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    json: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    session: { type: "string" },
    continue: { type: "boolean", default: false },
  });
  if (values.session !== undefined && values.continue) {
    throw usageError("Use either --session or --continue, not both.", usage);
  }
  const pasted = positionals.length === 0;
  const text = pasted ? await readStandardInput(io) : positionals.join(" ");
  if (text.trim() === "") throw usageError("The question is empty.", usage);
  const { json, quiet } = values;
  const name = values.session ?? null;
  const latest = values.continue || (name === null && !pasted && /^\s*\/[a-z]/i.test(text));
  return withAgent(io, "cli", async (agent) => {
    if (!quiet) for (const notice of agent.notices) io.err(`${notice}\n`);
    const session = await agent.openSession({ name, latest, source: "cli", own: quiet });
    if (!quiet) await showUndeliveredAnswers(agent, session, { screen: new Screen(io), output: "err" });
    return sendQuestion(io, agent, { session, text, pasted, json, quiet });
  });
}

type Question = {
  readonly session: string;
  readonly text: string;
  /** The text came by standard input. */
  readonly pasted: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
};

async function sendQuestion(io: Io, agent: Agent, question: Question): Promise<number> {
  const { session, text, pasted, json, quiet } = question;
  let turn: string | null = null;
  const follower = new TurnFollower(io, () => turn, { json, quiet });
  const unsubscribe = agent.subscribe((event) => {
    if (turn === null && event.type === "accepted" && event.session === session) turn = event.turn;
    if (turn !== null) follower.listen(event);
  });
  const send = async (): Promise<number> => {
    const reply = await agent.say({ session, text, source: "cli", pasted });
    switch (reply.kind) {
      case "said":
        io.out(
          json
            ? `${JSON.stringify({ event: "answered", session, turn: null, text: reply.text })}\n`
            : `${reply.text}\n`,
        );
        return exitCodes.done;
      case "refused":
        io.err(`${reply.text}\n`);
        return exitCodes.failed;
      case "turn":
        turn = reply.turn;
        await agent.whenSettled(reply.turn);
        await agent.markDelivered(reply.turn);
        if (follower.exitCode !== exitCodes.approvalPending) await waitForResumedTurns(io, agent);
        return follower.exitCode;
    }
  };
  try {
    return await runInterruptibly(io, agent, () => session, send);
  } finally {
    unsubscribe();
  }
}
