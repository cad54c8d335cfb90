import type { Action, Call } from "../signal/action.ts";
import { type Facts, usualRepeats } from "../signal/facts.ts";
import { deniedByOwner, notRun, refusalCodes } from "../signal/jobs/refusal-codes.ts";
import type { Message } from "../signal/message.ts";
import type { Outcome } from "../signal/tool.ts";
import { isJsonObject, isSameJson, type Json } from "../text/json.ts";

type Conversation = { readonly messages: readonly Message[] };
type MadeCall = { readonly action: Action; readonly outcome: Outcome };

/**
 * How often the turn ran this call and got what it got the last time, without another result between;
 * explanations do not count. What another act gave for the first time between may have changed the world, so
 * the count begins anew there. `most` stands beside it where it is not the usual one.
 */
export function countRepeats(
  turn: Conversation,
  { action }: Call,
  most: number,
): Pick<Facts, "repeats" | "mostRepeats"> {
  const made = callsWithResults(turn).filter(
    ({ outcome }) => !isRefused(outcome) && codeOf(outcome) !== notRun,
  );
  const isSame = (one: MadeCall): boolean => isSameAct(one.action, action);
  const last = made.findLast(isSame);
  if (last === undefined) return {};
  let repeats = 0;
  for (const [at, one] of [...made.entries()].toReversed()) {
    if (isSame(one)) {
      if (!isSameJson(one.outcome, last.outcome)) break;
      repeats += 1;
    } else if (!made.slice(0, at).some((before) => isSameCall(before, one))) break;
  }
  if (repeats === 0) return {};
  return { repeats, ...(most === usualRepeats ? {} : { mostRepeats: most }) };
}

/** How often the program refused an act in a turn. The owner's own no is not one of them. */
export function countRefusals(turn: Conversation, { action }: Call): number {
  const refused = callsWithResults(turn).filter(
    (one) => isRefused(one.outcome) && isSameAct(one.action, action),
  );
  const isDenied = refused.some(({ outcome }) => codeOf(outcome) === deniedByOwner);
  return refused.length - Number(isDenied);
}

/** The calls that have a result, in order. A result belongs to the call of its id in the answer before it. */
export function callsWithResults({ messages }: Conversation): readonly MadeCall[] {
  const actions = new Map<string, Action>();
  return messages.flatMap((message): readonly MadeCall[] => {
    if (message.role === "assistant") for (const { id, action } of message.calls) actions.set(id, action);
    if (message.role !== "result") return [];
    const action = actions.get(message.callId);
    return action === undefined ? [] : [{ action, outcome: message.result.outcome }];
  });
}

function isRefused(outcome: Outcome): boolean {
  return refusalCodes.has(codeOf(outcome));
}

function codeOf(outcome: Outcome): string {
  return outcome.status === "error" ? outcome.code : "";
}

function isSameCall(one: MadeCall, other: MadeCall): boolean {
  return isSameAct(one.action, other.action) && isSameJson(one.outcome, other.outcome);
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
