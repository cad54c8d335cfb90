import type { Message } from "../../signal/message.ts";

/** The words of a message that the owner said to send as they are, with the text before and after them, which the owner did not speak of. */
export type AsIsMessage = { readonly before: string; readonly words: string; readonly after: string };

/** Splits a message at the words that the owner said to send as they are; null where there are none. */
export function splitAsIs(message: Message): AsIsMessage | null {
  if (message.role !== "user" || message.asIs === undefined || message.asIs === "") return null;
  const { text, asIs: words } = message;
  const at = text.lastIndexOf(words);
  return at < 0 ? null : { before: text.slice(0, at), words, after: text.slice(at + words.length) };
}
