import type { Message } from "./message.ts";

/**
 * What the program told a model in a turn beside its messages, as it was sent: it stands behind the first
 * `after` of them.
 */
export type ToldState = {
  readonly after: number;
  /** When it was gathered, in Unix milliseconds. */
  readonly at: number;
  readonly messages: readonly Message[];
};

/**
 * Copies of results with their numbers, the same object for the same result and number, since what was sent
 * before is found by its identity.
 */
const numbered = new WeakMap<Message, { readonly number: number; readonly message: Message }>();

/**
 * The messages of a turn as a model gets them, in each of its steps and in later turns alike: results have
 * numbers that go on over the session, and what the program told stands where it was told.
 */
export function messagesAsSent({
  messages,
  told = [],
  resultsBefore,
}: {
  readonly messages: readonly Message[];
  readonly told?: readonly ToldState[];
  readonly resultsBefore?: number;
}): readonly Message[] {
  let number = resultsBefore ?? 0;
  const sent = messages.map((message) => {
    if (message.role !== "result" || resultsBefore === undefined) return message;
    number += 1;
    return withNumber(message, number);
  });
  return told.toReversed().reduce<readonly Message[]>((woven, { after, messages: own }) => {
    const at = Math.min(after, messages.length);
    return [...woven.slice(0, at), ...own, ...woven.slice(at)];
  }, sent);
}

function withNumber(message: Extract<Message, { readonly role: "result" }>, number: number): Message {
  const known = numbered.get(message);
  if (known?.number === number) return known.message;
  const copy: Message = { ...message, result: { ...message.result, number } };
  numbered.set(message, { number, message: copy });
  return copy;
}
