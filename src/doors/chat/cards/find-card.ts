import type { ChatTap } from "../chat-service.ts";
import type { QuestionCardsParts } from "./cards-parts.ts";
import { readButton, readReaction } from "./handle.ts";
import type { FoundTap, OpenCard } from "./open-card.ts";

type Found = { readonly card: OpenCard; readonly tap: FoundTap };

/**
 * The card on which somebody tapped: by what the button held, or by the message; null for none that is kept.
 */
export async function findCard(
  cards: readonly OpenCard[],
  tap: ChatTap,
  { answers, sentAs }: Pick<QuestionCardsParts, "answers" | "sentAs">,
): Promise<Found | null> {
  const place = { chat: tap.chat.id, member: tap.sender.id, update: tap.id };
  if (answers === "buttons") {
    const held = readButton(tap.handle);
    for (const card of cards) {
      const at = card.shown.find(({ handles }) => handles.includes(held?.hash ?? ""));
      if (held === null || at === undefined) continue;
      const message = await sentAs(firstKey(at.key));
      const isOnMessage = message === null || message === tap.message;
      return { card, tap: { ...place, answer: held.answer, at, isOnMessage } };
    }
    return null;
  }
  for (const card of cards)
    for (const at of card.shown)
      if (card.chat === tap.chat.id && (await sentAs(at.key)) === tap.message)
        return { card, tap: { ...place, answer: readReaction(tap.handle), at, isOnMessage: true } };
  return null;
}

/**
 * Whether a reaction to no known message answers a question: of one that came twice only the last copy is
 * known.
 */
export function isMeantAsAnswer(
  cards: readonly OpenCard[],
  { chat, handle }: ChatTap,
  { answers }: Pick<QuestionCardsParts, "answers">,
): boolean {
  return (
    answers === "reactions" &&
    ["once", "no"].includes(readReaction(handle)) &&
    cards.some((card) => card.chat === chat.id && card.end === null)
  );
}

/** The key of the message that shows a card; its pages are edits of that one. */
export function firstKey(key: string): string {
  return key.replace(/\d+$/, "0");
}
