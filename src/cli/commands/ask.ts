import type { Agent } from "../../daemon/agent/agent.ts";
import { askSpec } from "../table/talking.ts";
import { attachFiles } from "./attach-files.ts";
import { TurnFollower } from "./follow-turn.ts";
import { exitCodes, type Io, readStandardInput, usageError } from "./io.ts";
import { parseCommand } from "./options.ts";
import { runInterruptibly, waitForResumedTurns } from "./run-interruptibly.ts";
import { Screen } from "./screen.ts";
import { showUndeliveredAnswers } from "./show-undelivered.ts";
import { withAgent } from "./with-agent.ts";

/** Asks one thing and prints the answer. The exit code says how the turn ended. */
export async function askCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, askSpec);
  const pasted = words.length === 0;
  const text = pasted ? await readStandardInput(io) : words.join(" ");
  if (text.trim() === "") throw usageError("The question is empty.", askSpec);
  const { json, quiet } = values;
  const name = values.session ?? null;
  const latest = values.continue || (name === null && !pasted && /^\s*\/[a-z]/i.test(text));
  return withAgent(io, "cli", async (agent) => {
    if (!quiet) for (const notice of agent.notices) io.err(`${notice}\n`);
    const session = await agent.openSession({ name, latest, source: "cli", own: quiet });
    if (!quiet) await showUndeliveredAnswers(agent, session, { screen: new Screen(io), output: "err" });
    const attachments = await attachFiles(io, agent, { session, files: values.attach ?? [], quiet });
    if (attachments === null) return exitCodes.failed;
    return sendQuestion(io, agent, { session, text, pasted, json, quiet, attachments });
  });
}

type Question = {
  readonly session: string;
  readonly text: string;
  /** The text came by standard input. */
  readonly pasted: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The ids of the files that go with it. */
  readonly attachments: readonly string[];
};

async function sendQuestion(io: Io, agent: Agent, question: Question): Promise<number> {
  const { session, text, pasted, json, quiet, attachments } = question;
  let turn: string | null = null;
  const follower = new TurnFollower(io, () => turn, { json, quiet });
  const unsubscribe = agent.subscribe((event) => {
    if (turn === null && event.type === "accepted" && event.session === session) turn = event.turn;
    if (turn !== null) follower.listen(event);
  });
  const send = async (): Promise<number> => {
    const reply = await agent.say({ session, text, source: "cli", pasted, attachments });
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
