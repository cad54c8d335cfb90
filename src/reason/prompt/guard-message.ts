import type { Call } from "../../signal/action.ts";
import type { Message } from "../../signal/message.ts";
import { isJsonObject, type Json, type JsonObject, textsIn } from "../../text/json.ts";
import { guardText, guardTokens, unguardText, unguardTokens } from "./guard-text.ts";

const rejectionPrefix = "PREVIOUS PROPOSAL REJECTED: ";

type ReplaceText = (text: string) => string;

/** Messages that were guarded before: the history of a session is a part of each prompt. */
const guarded = new WeakMap<Message, Message>();

/**
 * A message as it enters a prompt: what others wrote is guarded, what the model wrote itself has no control tokens, a rejection is named as such. The same
 * object if nothing changes, and the same for the same message.
 */
export function guardMessage(message: Message): Message {
  const known = guarded.get(message) ?? guardAnew(message);
  guarded.set(message, known);
  return known;
}

function guardAnew(message: Message): Message {
  switch (message.role) {
    case "rejection": {
      const reason = message.text.startsWith(rejectionPrefix)
        ? message.text.slice(rejectionPrefix.length)
        : message.text;
      return { ...message, text: rejectionPrefix + guardText(reason) };
    }
    case "user": {
      // What the program told was guarded when it was written, all but its own frame.
      if (message.told === true) return message;
      const text = guardText(message.text);
      return text === message.text ? message : { ...message, text };
    }
    case "attachment": {
      const name = guardText(message.file.name);
      const text = guardText(message.text);
      const isSame = name === message.file.name && text === message.text;
      return isSame ? message : { ...message, file: { ...message.file, name }, text };
    }
    case "assistant":
      return guardAnswer(message);
    case "result": {
      const { outcome } = message.result;
      const shown =
        outcome.status === "success"
          ? { ...outcome, content: replaceTexts(outcome.content, guardText) }
          : { ...outcome, message: guardText(outcome.message) };
      return isSame(outcome, shown) ? message : { ...message, result: { ...message.result, outcome: shown } };
    }
  }
}

/** The calls of an answer as they are judged and run: with the bytes that the marks stood for. */
export function unguardCalls(calls: readonly Call[]): readonly Call[] {
  return calls.map(({ id, action }) => ({
    id,
    action: {
      ...action,
      payload: replaceInObject(action.payload, unguardText),
      explanation: unguardText(action.explanation),
    },
  }));
}

/** Raw parts are replayed unchanged or not at all. */
function guardAnswer(message: Extract<Message, { role: "assistant" }>): Message {
  const text = guardWritten(message.text);
  const calls = message.calls.map(({ id, action }) => ({
    id,
    action: {
      ...action,
      payload: replaceInObject(action.payload, guardTokens),
      explanation: guardTokens(action.explanation),
    },
  }));
  const isHarmless = textsIn(message.raw).every((part) => guardWritten(part.text) === part.text);
  if (isHarmless && text === message.text && isSame(calls, message.calls)) return message;
  return { ...message, text, calls, raw: isHarmless ? message.raw : null };
}

/** The model may have copied marks: then it gets no more of them. */
function guardWritten(text: string): string {
  return guardTokens(unguardTokens(text));
}

function isSame(before: Json, after: Json): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function replaceTexts(value: Json, replace: ReplaceText): Json {
  if (typeof value === "string") return replace(value);
  if (isJsonObject(value)) return replaceInObject(value, replace);
  return Array.isArray(value) ? value.map((item: Json) => replaceTexts(item, replace)) : value;
}

function replaceInObject(value: JsonObject, replace: ReplaceText): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [replace(key), replaceTexts(item, replace)]),
  );
}
