import type { Action, Call } from "../signal/action.ts";
import type { Facts } from "../signal/facts.ts";
import { isJsonObject, isSameJson, type Json } from "../signal/json.ts";
import type { Message } from "../signal/message.ts";

/** How often the turn made this call before and got what it got the last time, without another result between; explanations do not count. */
export function countRepeats(
  { messages }: { readonly messages: readonly Message[] },
  { action }: Call,
): Pick<Facts, "repeats"> {
  const same = new Set(
    messages
      .flatMap((message) => (message.role === "assistant" ? message.calls : []))
      .filter((call) => isSameAct(call.action, action))
      .map(({ id }) => id),
  );
  const results = messages
    .flatMap((message) => (message.role === "result" && same.has(message.callId) ? [message.result] : []))
    .map(({ outcome }): Json => outcome);
  const last = results.at(-1);
  const other = results.findLastIndex((result) => !isSameJson(result, last));
  const repeats = results.length - 1 - other;
  return repeats === 0 ? {} : { repeats };
}

function isSameAct(one: Action, other: Action): boolean {
  return (
    one.target === other.target &&
    isSameJson(withoutExplanation(one.payload), withoutExplanation(other.payload))
  );
}

function withoutExplanation(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const { explanation: _, args, ...rest } = value;
  return args === undefined ? rest : { ...rest, args: withoutExplanation(args) };
}
