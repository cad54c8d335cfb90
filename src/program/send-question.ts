import type { Agent } from "../daemon/agent/resources/agent.ts";
import type { Io } from "../kernel/io.ts";
import { askForHiddenOf } from "./answer-hidden.ts";
import { TurnFollower } from "./follow-turn.ts";
import { exitCodes } from "./io.ts";
import { runInterruptibly, waitForOtherTurns } from "./run-interruptibly.ts";
import { tellSizeOf } from "./tell-size.ts";

type Question = {
  readonly session: string;
  readonly text: string;
  /** The text came by standard input. */
  readonly pasted: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The ids of the files that go with it. */
  readonly attachments: readonly string[];
  /** What came by a pipe beside the text; empty where nothing did. */
  readonly piped: string;
};

/**
 * The exit codes of replies to a command that did nothing: it is none, was typed wrongly, or could not be
 * done.
 */
const failedCommands: ReadonlyMap<string, number> = new Map([
  ["misused-command", exitCodes.usage],
  ["unknown-command", exitCodes.usage],
  ["not-done", exitCodes.failed],
  ["nothing-to-undo", exitCodes.failed],
  ["nothing-to-redo", exitCodes.failed],
]);

/** Says words, shows what comes of them, and gives the exit code. */
export async function sendQuestion(io: Io, agent: Agent, question: Question): Promise<number> {
  const { session, text, pasted, json, quiet, attachments, piped } = question;
  let turn: string | null = null;
  const follower = new TurnFollower(io, () => turn, { json, quiet });
  const unsubscribe = agent.subscribe((event) => {
    if (turn === null && event.type === "accepted" && event.session === session) turn = event.turn;
    if (turn !== null) follower.listen(event);
  });
  const endAsking = askForHiddenOf(io, agent, { sees: (prompt) => prompt.turn === turn, json });
  const endTelling = tellSizeOf(io, agent, session);
  const send = async (): Promise<number> => {
    const reply = await agent.say({ session, text, source: "cli", pasted, attachments, piped });
    switch (reply.kind) {
      case "said":
        io.out(
          json
            ? `${JSON.stringify({ event: "answered", session, turn: null, text: reply.text })}\n`
            : `${reply.text}\n`,
        );
        return failedCommands.get(reply.code) ?? exitCodes.done;
      case "refused":
        io.err(`${reply.text}\n`);
        return exitCodes.failed;
      case "turn":
        turn = reply.turn;
        await agent.whenSettled(reply.turn);
        await agent.markDelivered(reply.turn);
        if (follower.exitCode !== exitCodes.approvalPending) await waitForOtherTurns(io, agent);
        return follower.exitCode;
    }
  };
  try {
    return await runInterruptibly(io, agent, () => session, send);
  } finally {
    unsubscribe();
    endTelling();
    await endAsking();
  }
}
