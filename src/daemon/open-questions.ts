import type { LoopEvent } from "../signal/loop-event.ts";
import { messageOf } from "../wire/codec/loop-events.ts";
import type { LocalDaemon } from "./agent/local-agent.ts";
import type { Client } from "./subscribed-client.ts";

type Question = Extract<LoopEvent, { readonly type: "approval-required" }>;

/** The questions that wait for the owner, as clients are asked them. Their tokens are in no other place but the clients'. */
export type OpenQuestions = {
  /** Takes in what happens: a turn that goes on or ends asks no more. */
  readonly heard: (event: LoopEvent) => void;
  /** Asks a client, unless it was asked that already. */
  readonly ask: (client: Client, question: Question) => void;
  /** Asks a client all that waits and that it was not asked yet. */
  readonly askAll: (client: Client) => Promise<void>;
  /** How a turn stands, with the token that others have where it waits for an answer. */
  readonly standing: (turn: string) => Promise<LoopEvent | null>;
};

/** Begins with no question known; those that a former process asked get a further token when they are first needed. */
export function makeOpenQuestions(daemon: LocalDaemon): OpenQuestions {
  const known = new Map<string, Question>();
  const isOpen = async ({ turn, expiresAt, token }: Question): Promise<boolean> =>
    (await daemon.asking()).some((one) => one.turn === turn && one.expiresAt === expiresAt) &&
    (await daemon.waiting(token)) !== null;
  const standing: OpenQuestions["standing"] = async (turn) => {
    const before = known.get(turn);
    if (before !== undefined && (await isOpen(before))) return before;
    const event = await daemon.standing(turn);
    if (event?.type === "approval-required") known.set(turn, event);
    return event;
  };
  const ask: OpenQuestions["ask"] = ({ connection, asked }, question) => {
    if (asked.get(question.turn) === question.expiresAt) return;
    asked.set(question.turn, question.expiresAt);
    connection.send(messageOf(question, { source: connection.source, ...noFigures }), "other");
  };
  return {
    heard(event) {
      if (event.type === "approval-required") known.set(event.turn, event);
      else known.delete(event.turn);
    },
    ask,
    async askAll(client) {
      for (const { turn } of await daemon.asking()) {
        const event = await standing(turn);
        if (event?.type === "approval-required") ask(client, event);
      }
    },
    standing,
  };
}

/** A question has none. */
const noFigures = { rules: 0, pending: 0, focus: null, trace: [] };
