import { form as reference } from "../../../act/flow/references.ts";
import type { Call } from "../../../signal/action.ts";
import { failedOutcome } from "../../../signal/failed-outcome.ts";
import { joinConversationLabels, type Label } from "../../../signal/label.ts";
import { conversationLabel } from "../../../signal/message.ts";
import type { Turn } from "../../../signal/turn.ts";
import { type CallLine, mostCallLines } from "../../../text/call-line.ts";
import { isJsonObject, type JsonObject, stringsIn } from "../../../text/json.ts";

/** What a turn did by its model: its calls, which all came off, what it said at its end, and the label of all that the calls were made from. */
export type ActsOfTurn = {
  readonly acts: readonly CallLine[];
  readonly answer: string;
  readonly label: Label;
};

/** Tools whose work a model decides anew each time. */
const notRepeatable: ReadonlySet<string> = new Set(["delegate", "propose-plan"]);

/**
 * What a turn did, where calls were all that it did: a model was asked, nothing was refused or failed, and no call has private text or the result of another one. Null for any other
 * turn.
 */
export function actsOfTurn(turn: Turn): ActsOfTurn | null {
  const { messages, state, code, text } = turn;
  if (state !== "answered" || code !== "") return null;
  const answers = messages.flatMap((message) => (message.role === "assistant" ? [message] : []));
  const results = messages.flatMap((message) => (message.role === "result" ? [message.result] : []));
  const calls = answers.flatMap((answer) => answer.calls);
  const acts = calls.map(actOf).filter((act) => act !== null);
  // An answer has the label of all that its model had before it; what a call gave is in the label of the next one.
  const label = joinConversationLabels(
    answers.flatMap((answer) => (answer.calls.length > 0 ? [answer.label] : [])),
  );
  const isWhole =
    acts.length > 0 &&
    acts.length <= mostCallLines &&
    acts.length === calls.length &&
    results.length === calls.length &&
    results.every(({ outcome }) => failedOutcome(outcome) === null) &&
    answers.every(({ provider }) => provider !== "reflex") &&
    messages.every(({ role }, at) => role !== "rejection" && (role !== "user" || at === 0));
  return isWhole && conversationLabel(messages).secrecy === "public"
    ? { acts, answer: text.trim(), label }
    : null;
}

function actOf({ action: { target, payload } }: Call): CallLine | null {
  const { tool, args } = payload;
  const act =
    target === "shell"
      ? { tool: "shell", args: withoutExplanation(payload) }
      : target === "tool" && typeof tool === "string" && args !== undefined && isJsonObject(args)
        ? { tool, args: withoutExplanation(args) }
        : null;
  if (act === null || notRepeatable.has(act.tool)) return null;
  return stringsIn(act.args).some(({ text }) => reference.test(text)) ? null : act;
}

function withoutExplanation({ explanation: _, ...args }: JsonObject): JsonObject {
  return args;
}
