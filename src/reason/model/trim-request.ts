import { inputKindOf } from "../../signal/attachment.ts";
import { cutJson } from "../../signal/bound-result.ts";
import type { Message } from "../../signal/message.ts";
import type { Outcome } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { noteCopy, without } from "./left-out.ts";
import type { ModelRequest } from "./model-port.ts";
import { bytesOf } from "./usage.ts";

const longResult = 2_000;
const keptHead = 1_000;
const keptTail = 500;
/** Characters of the arguments of a call that has its result. */
const longArguments = 2_000;

/**
 * Shortens a prompt that a provider found too long to about half its size: first the oldest history is dropped, then the
 * middle of long results and arguments is left out, the oldest first, then the bytes of attached files. The
 * system text and the person's words in the last `keep` messages stay whole. Null if nothing can be removed.
 */
export function trimRequest(request: ModelRequest, keep: number): ModelRequest | null {
  const whole = sizeOf(request);
  const target = whole / 2;
  const most = Math.max(0, request.messages.length - Math.max(1, keep));
  let size = whole;
  let dropped = 0;
  for (const message of request.messages.slice(0, most)) {
    if (size <= target && message.role !== "result") break;
    size -= sizeOf({ system: "", messages: [message], tools: [] });
    dropped += 1;
  }
  const stableMessages = Math.max(0, request.stableMessages - dropped);
  const messages = request.messages.slice(dropped);
  for (const less of [shorten, withoutFile]) {
    for (const [at, message] of messages.entries()) {
      if (size <= target) break;
      const shorter = noteCopy(less(message), message);
      size -= sizeOf({ system: "", messages: [message], tools: [] });
      size += sizeOf({ system: "", messages: [shorter], tools: [] });
      messages[at] = shorter;
    }
  }
  const kept = { ...request, messages, stableMessages };
  return sizeOf(kept) < whole ? kept : null;
}

/** The size of a request in bytes, as it is sent: files go as base64. */
function sizeOf(request: Pick<ModelRequest, "system" | "messages" | "tools">): number {
  const ofFiles = request.messages.map((message) => (hasBytes(message) ? message.file.bytes * (4 / 3) : 0));
  return bytesOf(request) + ofFiles.reduce((sum, bytes) => sum + bytes, 0);
}

function hasBytes(message: Message): message is Extract<Message, { readonly role: "attachment" }> {
  return message.role === "attachment" && message.textOnly !== true && inputKindOf(message.file) !== null;
}

function withoutFile(message: Message): Message {
  return hasBytes(message) ? without(message, "extras") : message;
}

function shorten(message: Message): Message {
  if (message.role === "assistant") return shortenCalls(message);
  if (message.role !== "result") return message;
  const { outcome } = message.result;
  const content: Json = outcome.status === "success" ? outcome.content : outcome.message;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  if (text.length <= longResult) return message;
  const left = text.length - keptHead - keptTail;
  const shortened = `${beginOf(text, keptHead)}\n[… ${left} characters left out …]\n${text.slice(-keptTail)}`;
  const shorter: Outcome =
    outcome.status === "success"
      ? { status: "success", content: shortened }
      : { ...outcome, message: shortened };
  return { ...message, result: { ...message.result, outcome: shorter } };
}

function shortenCalls(message: Extract<Message, { readonly role: "assistant" }>): Message {
  if (JSON.stringify(message.calls).length <= longArguments) return message;
  const calls = message.calls.map(({ id, action }) => ({
    id,
    action: { ...action, payload: shortenArguments(action.payload) },
  }));
  return { ...message, calls, raw: null };
}

function shortenArguments(payload: JsonObject): JsonObject {
  const { tool, args } = payload;
  if (typeof tool !== "string" || args === undefined) return payload;
  const cut = cutJson(args, longArguments);
  return { ...payload, args: isJsonObject(cut) ? cut : {} };
}
