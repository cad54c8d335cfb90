import type { Json } from "../../signal/json.ts";
import type { Message } from "../../signal/message.ts";
import { beginOf } from "../../signal/text/cut-text.ts";
import type { ModelRequest } from "./model-port.ts";
import { bytesOf } from "./usage.ts";

const longResult = 2_000;
const keptHead = 1_000;
const keptTail = 500;

/**
 * Shortens a prompt that a provider found too long to about half its size: first the oldest history is dropped, then the
 * middle of long results. The system text, the last `keep` messages and the person's words in them stay whole.
 * Null if nothing can be removed.
 */
export function trimRequest(request: ModelRequest, keep: number): ModelRequest | null {
  const whole = bytesOf(request);
  const target = whole / 2;
  const most = Math.max(0, request.messages.length - Math.max(1, keep));
  let size = whole;
  let dropped = 0;
  for (const message of request.messages.slice(0, most)) {
    if (size <= target && message.role !== "result") break;
    size -= bytesOf({ system: "", messages: [message], tools: [] });
    dropped += 1;
  }
  const stableMessages = Math.max(0, request.stableMessages - dropped);
  let kept = { ...request, messages: request.messages.slice(dropped), stableMessages };
  if (size > target) kept = { ...kept, messages: kept.messages.map(shorten) };
  return bytesOf(kept) < whole ? kept : null;
}

function shorten(message: Message): Message {
  if (message.role !== "result" || message.result.outcome.status !== "success") return message;
  const { content } = message.result.outcome;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  if (text.length <= longResult) return message;
  const left = text.length - keptHead - keptTail;
  const shortened: Json = `${beginOf(text, keptHead)}\n[… ${left} characters left out …]\n${text.slice(-keptTail)}`;
  return { ...message, result: { ...message.result, outcome: { status: "success", content: shortened } } };
}
