import { hash } from "node:crypto";
import { inputKindOf } from "../../signal/attachment.ts";
import type { Message } from "../../signal/message.ts";
import type { Outcome } from "../../signal/tool.ts";
import { shorten } from "../../text/cut-text.ts";
import type { JsonObject } from "../../text/json.ts";
import type { ModelRequest } from "./model-port.ts";
import { labelOfMessage } from "./withhold-private.ts";

/**
 * How much of a message is left out: what stands beside its text (the bytes of a file, the provider's own
 * parts of an answer), or all of it.
 */
export type LeftOut = "extras" | "all";

/** Something of a request that can be left out. */
export type LeavablePart = { readonly at: number; readonly out: LeftOut };

const note = "[left out: the provider refused it]";
const copies: { readonly [out in LeftOut]: WeakMap<Message, Message> } = {
  extras: new WeakMap(),
  all: new WeakMap(),
};
const digests = new WeakMap<Message, string>();
/** The messages of which copies with less in them are sent. */
const originals = new WeakMap<Message, Message>();

/** Notes that a message is sent in the place of another one, of which it has a part. */
export function noteCopy<T extends Message>(copy: T, original: Message): T {
  if (copy !== original) originals.set(copy, originals.get(original) ?? original);
  return copy;
}

/**
 * What of a request can be left out, the newest first: everything but the person's words of the turn, which
 * are its last `keep` messages.
 */
export function leavableParts(
  { messages }: Pick<ModelRequest, "messages">,
  keep: number,
): readonly LeavablePart[] {
  const ofTurn = messages.length - keep;
  return [...messages.entries()].toReversed().flatMap(([at, message]): readonly LeavablePart[] => {
    if (message.role === "user" && message.told !== true && at >= ofTurn) return [];
    const hasExtras =
      (message.role === "assistant" && message.raw !== null) ||
      (message.role === "attachment" && message.textOnly !== true && inputKindOf(message.file) !== null);
    return hasExtras
      ? [
          { at, out: "extras" },
          { at, out: "all" },
        ]
      : [{ at, out: "all" }];
  });
}

/** A request without some of its parts: each message keeps its place, and a call its id and its tool. */
export function leaveOut(request: ModelRequest, parts: readonly LeavablePart[]): ModelRequest {
  const outs = new Map<number, LeftOut>();
  for (const { at, out } of parts) if (outs.get(at) !== "all") outs.set(at, out);
  const messages = request.messages.map((message, at) => {
    const out = outs.get(at);
    return out === undefined ? message : without(message, out);
  });
  return { ...request, messages };
}

/** A message without what is left out of it; the same object for the same message. */
export function without(message: Message, out: LeftOut): Message {
  const known = copies[out].get(message) ?? noteCopy(withoutAnew(message, out), message);
  copies[out].set(message, known);
  return known;
}

function withoutAnew(message: Message, out: LeftOut): Message {
  switch (message.role) {
    case "user":
    case "rejection":
      return { ...message, text: note };
    case "attachment":
      return { ...message, ...(out === "all" && { text: note }), textOnly: true };
    case "assistant": {
      if (out === "extras") return { ...message, raw: null };
      const calls = message.calls.map(({ id, action }) => ({
        id,
        action: { ...action, payload: withoutArguments(action.payload), explanation: note },
      }));
      return { ...message, text: calls.length === 0 ? note : "", calls, raw: null };
    }
    case "result": {
      const { outcome } = message.result;
      const left: Outcome =
        outcome.status === "success"
          ? { status: "success", content: note }
          : { status: "error", code: outcome.code, message: note };
      return { ...message, result: { ...message.result, outcome: left } };
    }
  }
}

function withoutArguments({ tool }: JsonObject): JsonObject {
  return typeof tool === "string" ? { tool, args: { left: note } } : { left: note };
}

/** A message as it is known again in a later turn, or by another process, whatever of it was sent. */
export function digestOfMessage(message: Message): string {
  const whole = originals.get(message) ?? message;
  const digest = digests.get(message) ?? hash("sha256", JSON.stringify(whole));
  digests.set(message, digest);
  return digest;
}

/** What is left out, in words for the owner: `the picture "shot.png"`. Only what is public is quoted. */
export function describePart(
  { messages }: Pick<ModelRequest, "messages">,
  { at, out }: LeavablePart,
): string {
  const message = messages[at];
  if (message === undefined) return "a message";
  const { secrecy } = labelOfMessage(message);
  const named = (what: string, text: string): string =>
    secrecy === "public"
      ? `the ${what} ${JSON.stringify(shorten(text.trim().replaceAll(/\s+/g, " "), 60))}`
      : `a ${secrecy} ${what}`;
  switch (message.role) {
    case "user":
      if (message.told === true) return "what the program told";
      return secrecy === "public" ? named("words", message.text) : `${secrecy} words`;
    case "rejection":
      return "a note of the program";
    case "attachment":
      return named(inputKindOf(message.file) === "picture" ? "picture" : "file", message.file.name);
    case "assistant": {
      const said = message.text || message.calls.map(({ action }) => action.explanation).join(" ");
      return out === "extras"
        ? `the thinking behind ${named("answer", message.text)}`
        : named("answer", said);
    }
    case "result":
      return `a result of ${message.result.tool}`;
  }
}
