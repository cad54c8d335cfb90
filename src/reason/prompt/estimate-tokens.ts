import { Buffer } from "node:buffer";
import { inputKindOf, textOfAttachment, tokensOfFile } from "../../signal/attachment.ts";
import type { Message } from "../../signal/message.ts";
import type { Json } from "../../text/json.ts";

/** UTF-8 bytes of a token, by which texts are estimated. */
export const bytesPerToken = 3.5;
const tokensPerMessage = 4;

/** Estimates the tokens of a text as its UTF-8 bytes divided by 3.5, rounded up. For English the estimate is about 15 % too high, which is the safe side. No tokenizer is loaded. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Tokens of messages that were estimated before: the history of a session is a part of each prompt. */
const estimated = new WeakMap<Message, number>();

/** Estimates the tokens of one message, including its calls or result and the tokens that separate messages. */
export function estimateMessageTokens(message: Message): number {
  const tokens =
    estimated.get(message) ??
    tokensPerMessage + estimateTokens(contentOf(message)) + tokensOfPicture(message);
  estimated.set(message, tokens);
  return tokens;
}

function tokensOfPicture(message: Message): number {
  return message.role === "attachment" && inputKindOf(message.file) === "picture"
    ? tokensOfFile(message.file)
    : 0;
}

function contentOf(message: Message): string {
  switch (message.role) {
    case "user":
    case "rejection":
      return message.text;
    case "attachment":
      return textOfAttachment(message, false);
    case "assistant":
      return message.calls.length === 0
        ? message.text
        : message.text + JSON.stringify(message.calls.map((call) => call.action));
    case "result":
      return jsonText(
        message.result.outcome.status === "success"
          ? message.result.outcome.content
          : message.result.outcome.message,
      );
  }
}

function jsonText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Cuts a text to the whole lines that fit into `tokens`, with `mark` at the end if it was cut. Null if its first line does not fit. */
export function cutToTokens(text: string, tokens: number, mark: string): string | null {
  if (estimateTokens(text) <= tokens) return text;
  const most = Math.floor(tokens * bytesPerToken) - Buffer.byteLength(mark) - 1;
  let end = -1;
  let bytes = 0;
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf("\n", from);
    const next = feed === -1 ? text.length : feed;
    bytes += Buffer.byteLength(text.slice(from, next)) + (from === 0 ? 0 : 1);
    if (bytes > most) break;
    end = next;
    from = next + 1;
  }
  return end === -1 ? null : `${text.slice(0, end)}\n${mark}`;
}
