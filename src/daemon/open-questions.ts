import type { LoopEvent } from "../signal/loop-event.ts";
import { messageOf } from "../wire/codec/loop-events.ts";
import type { LocalAgent } from "./agent/local-agent.ts";
import type { SubscribedClient } from "./subscribed-client.ts";

type Question = Extract<LoopEvent, { readonly type: "approval-required" }>;

/** The open questions, as clients are asked them. No other part holds their tokens. */
export type OpenQuestions = {
  /** Takes in an event: a turn that goes on or ends has no open question. */
  readonly observe: (event: LoopEvent) => void;
  /** Asks a client, unless it was asked this question before. */
  readonly ask: (client: SubscribedClient, question: Question) => void;
  /** Asks a client every open question that it was not asked yet. */
  readonly askAll: (client: SubscribedClient) => Promise<void>;
  /** The status of a turn. An open question has the token that other clients have. */
  readonly turnStatus: (turn: string) => Promise<LoopEvent | null>;
};

/** Begins with no question known. A question of a former process gets a further token when it is first needed. */
export function makeOpenQuestions(agent: LocalAgent): OpenQuestions {
  const known = new Map<string, Question>();
  const isOpen = async ({ turn, expiresAt, token }: Question): Promise<boolean> =>
    (await agent.openQuestions()).some((one) => one.turn === turn && one.expiresAt === expiresAt) &&
    (await agent.findQuestion(token)) !== null;
  const turnStatus: OpenQuestions["turnStatus"] = async (turn) => {
    const before = known.get(turn);
    if (before !== undefined && (await isOpen(before))) return before;
    const event = await agent.turnStatus(turn);
    if (event?.type === "approval-required") known.set(turn, event);
    return event;
  };
  const ask: OpenQuestions["ask"] = ({ connection, shownQuestions }, question) => {
    if (shownQuestions.get(question.turn) === question.expiresAt) return;
    shownQuestions.set(question.turn, question.expiresAt);
    connection.send(messageOf(question, { source: connection.source, ...noFigures }), "other");
  };
  return {
    observe(event) {
      if (event.type === "approval-required") known.set(event.turn, event);
      else known.delete(event.turn);
    },
    ask,
    async askAll(client) {
      for (const { turn } of await agent.openQuestions()) {
        const event = await turnStatus(turn);
        if (event?.type === "approval-required") ask(client, event);
      }
    },
    turnStatus,
  };
}

/** A question is sent without figures. */
const noFigures = { rules: 0, pending: 0, focus: null, trace: [] };
