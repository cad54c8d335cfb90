import type { Call } from "../../signal/action.ts";
import { saysNothingWasDone } from "../../signal/jobs/refusal-codes.ts";
import { bottomLabel, isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Outcome } from "../../signal/tool.ts";
import type { JsonObject } from "../../text/json.ts";

/**
 * Withholds private and secret text from a model that is not local: the message keeps its place and its ids, and its text, arguments, result and raw parts
 * become `[withheld: …]`. This is the only place where a private note is kept from a model: every chat request is rendered through it, and embeddings pass `isWithheldFromEmbedder`.
 */
export function withholdPrivate(message: Message, isLocal: boolean): Message {
  const { secrecy } = labelOfMessage(message);
  return isLocal || secrecy === "public" ? message : replaceText(message, `[withheld: ${secrecy}]`);
}

/**
 * Rendered messages without the words that a local model may have put into names: a withheld call keeps the
 * name of a tool that there is, and no id that its server or its model made. Results follow their calls.
 */
export function withoutPrivateNames(
  whole: readonly Message[],
  rendered: readonly Message[],
  tools: ReadonlySet<string>,
): readonly Message[] {
  const ids = new Map<string, string>();
  let count = 0;
  return rendered.map((message, at) => {
    const original = whole[at];
    const isWithheld = original !== undefined && labelOfMessage(original).secrecy !== "public";
    if (message.role === "assistant") {
      const calls = message.calls.map((call) => {
        ids.delete(call.id);
        if (!isWithheld) return call;
        count += 1;
        const id = `call${String(count).padStart(5, "0")}`;
        ids.set(call.id, id);
        return { id, action: withKnownNames(call.action, tools) };
      });
      return isWithheld ? { ...message, calls } : message;
    }
    if (message.role !== "result") return message;
    const { callId, result } = message;
    const named = ids.get(callId);
    if (named === undefined && !isWithheld) return message;
    const tool = tools.has(result.tool) ? result.tool : withheldName;
    return { ...message, callId: named ?? callId, result: { ...result, tool } };
  });
}

/** Stands for the name of a tool that there is not. */
const withheldName = "withheld";

function withKnownNames(action: Call["action"], tools: ReadonlySet<string>): Call["action"] {
  const { tool } = action.payload;
  const isUnknown = typeof tool === "string" && !tools.has(tool);
  return isUnknown ? { ...action, payload: { ...action.payload, tool: withheldName } } : action;
}

/** Whether a text is withheld from an embedding model: secret text always, private text if the model is not local. */
export function isWithheldFromEmbedder(label: Label, isLocal: boolean): boolean {
  return !isNoMoreSecretThan(label, isLocal ? "private" : "public");
}

/** The label of a message; that of its result, if it has one. */
export function labelOfMessage(message: Message): Label {
  return message.role === "result" ? message.result.label : message.label;
}

function replaceText(message: Message, text: string): Message {
  const label = bottomLabel;
  switch (message.role) {
    case "user":
    case "rejection":
      return { ...message, text, label };
    case "attachment":
      return { ...message, file: { ...message.file, name: "a file", path: "" }, text, label, textOnly: true };
    case "assistant": {
      const calls = message.calls.map(({ id, action }) => ({
        id,
        action: { ...action, payload: replaceArguments(action.payload, text), explanation: text },
      }));
      return { ...message, text, calls, raw: null, label };
    }
    case "result":
      return {
        ...message,
        result: { ...message.result, outcome: withheldOutcome(message.result.outcome, text), label },
      };
  }
}

/**
 * Whether a call failed may tell of what is withheld, so both read like a success. That it was refused is
 * told: else a model takes it for done.
 */
function withheldOutcome(outcome: Outcome, text: string): Outcome {
  if (outcome.status === "success" || !saysNothingWasDone(outcome.code))
    return { status: "success", content: text };
  const message = `Nothing was done. Only the owner is told why: ${text}`;
  return { status: "error", code: outcome.code, message };
}

/** Keeps the name of the tool, so that the call stays a call. */
function replaceArguments(payload: JsonObject, text: string): JsonObject {
  const { tool } = payload;
  return typeof tool === "string" ? { tool, args: { withheld: text } } : { withheld: text };
}
