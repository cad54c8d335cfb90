import type { ChatButton, OutgoingMessage } from "../chat-service.ts";
import { blankHandle, buttonData, withHandle } from "./handle.ts";
import type { OpenCard } from "./open-card.ts";

/** The message that shows a page of a card. Its buttons get what they hold when it is sent. */
export function messageOf(
  { card, read, word }: Pick<OpenCard, "card" | "read" | "word">,
  page: number,
  answers: "buttons" | "reactions",
): OutgoingMessage {
  const { text, code } = (page === 0 ? card?.sealed : card?.pages[page - 1]) ?? { text: "", code: [] };
  const message = { text, code, format: "plain", isProtected: true } as const;
  if (answers === "reactions" || card === null) return message;
  const isRead = card.toRead !== null && Math.max(read, page) >= card.toRead && page > 0;
  const once: ChatButton = { text: "Once", handle: buttonData("once", blankHandle), style: "good" };
  const no: ChatButton = { text: "No", handle: buttonData("no", blankHandle), style: "bad" };
  // Details stand alone in the last row of each page: whoever taps there twice has not said yes.
  const details: ChatButton = { text: "Details", handle: buttonData("details", blankHandle) };
  return {
    ...message,
    buttons: [
      isRead ? [word === null ? once : { ...once, text: "Once, with the word" }, no] : [no],
      [details],
    ],
  };
}

/** The same message with one button that does nothing and tells the outcome. */
export function withOutcome(message: OutgoingMessage, outcome: string): OutgoingMessage {
  return { ...message, buttons: [[{ text: outcome, handle: null }]] };
}

/** The same message whose buttons hold this handle. */
export function withHandles(message: OutgoingMessage, handle: string): OutgoingMessage {
  const held = (button: ChatButton): ChatButton =>
    button.handle === null ? button : { ...button, handle: withHandle(button.handle, handle) };
  return { ...message, buttons: (message.buttons ?? []).map((row) => row.map(held)) };
}
