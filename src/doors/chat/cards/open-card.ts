import { randomBytes } from "node:crypto";
import type { Card } from "./card.ts";
import type { CardAnswer } from "./handle.ts";

/** How a question ended. `gone`: its turn ended without an answer. */
export type QuestionEnd = "yes" | "no" | "lapsed" | "gone";

/** What makes a question the same. */
export type QuestionKey = { readonly session: string; readonly turn: string; readonly expiresAt: number };

/** Where a card is shown, and the one person whose answer counts there. */
export type CardPlace = { readonly chat: string; readonly member: string };

/** A message that shows a page of a card. */
type ShownPage = {
  /** The key under which it is sent. */
  readonly key: string;
  /** 0 is the sealed page. */
  readonly page: number;
  /** The hashes of what its buttons hold: one for each try to send it. */
  readonly handles: readonly string[];
  /** When it was last given to the service. Unix milliseconds. */
  readonly at: number;
};

/**
 * A question in one chat, as it is kept on disk: what it shows, by what it is answered, and what became of
 * it.
 */
export type OpenCard = CardPlace &
  QuestionKey & {
    readonly form: typeof form;
    readonly id: string;
    /** Null once it was answered: nothing of what it showed is kept. */
    readonly card: Card | null;
    /** What it showed, the last at the end. */
    readonly shown: readonly ShownPage[];
    /** Pages that somebody has seen: they tapped what stood below it. */
    readonly read: number;
    /** A yes was tapped, or the word was typed, and the other is waited for. */
    readonly isTapped: boolean;
    /** The key of the message on which it was tapped. */
    readonly tappedOn?: string;
    readonly isWorded: boolean;
    readonly word: string | null;
    /** What was decided here: it is on disk before it is carried out. */
    readonly decision: { readonly answer: "yes" | "no"; readonly update: string } | null;
    readonly end: { readonly kind: QuestionEnd; readonly isHere: boolean; readonly at: number } | null;
    /** Whether the end is on its way to its message. */
    readonly isTold: boolean;
  };

/** The form in which cards are kept. Another one is another version's, and counts as nothing. */
const form = 1;

/** Reads what this program kept. */
export function isKeptCard(value: unknown): value is OpenCard {
  return typeof value === "object" && value !== null && "form" in value && value.form === form;
}

/** An answer to a card that was found by what the button held, or by the message. */
export type FoundTap = CardPlace & {
  /** The id of the update that brought it: the same id twice is one tap. */
  readonly update: string;
  readonly answer: CardAnswer;
  readonly at: ShownPage;
  /** Whether it was made on the message that shows the card. */
  readonly isOnMessage: boolean;
};

/** What a tap comes to. */
export type Ruling =
  /** Nothing changes. */
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "show"; readonly page: number; readonly read: number }
  | { readonly kind: "await-word"; readonly isTapped: boolean; readonly read: number; readonly text: string }
  | { readonly kind: "decide"; readonly answer: "yes" | "no" };

/**
 * Milliseconds in which nobody has read a page: a yes that comes so early was meant for what stood there
 * before.
 */
const blindTime = 700;

/**
 * Decides on a tap on a card, by the card alone: pure. Only the person that the card was made for, in that
 * chat, on that message, in time, who has seen all of it, can say yes.
 */
export function ruleOnTap(card: OpenCard, tap: FoundTap, now: number): Ruling {
  if (card.chat !== tap.chat || !tap.isOnMessage) return { kind: "reply", text: copied };
  if (card.member !== tap.member) return { kind: "reply", text: notYours };
  if (card.end !== null) {
    const isSame = card.decision?.update === tap.update && card.end.isHere;
    return { kind: "reply", text: isSame ? confirmationOf(card.end.kind) : alreadyEnded(card.end.kind) };
  }
  if (card.expiresAt <= now) return { kind: "reply", text: alreadyEnded("lapsed") };
  return ruleOnAnswer(card, tap, now);
}

function ruleOnAnswer(card: OpenCard, { answer, at }: FoundTap, now: number): Ruling {
  if (card.card === null) return { kind: "reply", text: copied };
  const { pages, toRead } = card.card;
  const read = Math.max(card.read, at.page);
  switch (answer) {
    case "none":
      // Another reaction, or one on another page, says nothing of the yes.
      return card.isTapped && (card.tappedOn ?? at.key) === at.key
        ? { kind: "await-word", isTapped: false, read, text: "Taken back: nothing was answered." }
        : { kind: "reply", text: "" };
    case "no":
      return { kind: "decide", answer: "no" };
    case "details":
      return { kind: "show", page: at.page < pages.length ? at.page + 1 : 1, read };
    case "once":
      if (toRead === null) return { kind: "reply", text: tooLong };
      if (read < toRead || at.page === 0) return { kind: "reply", text: unread };
      if (now - at.at < blindTime) return { kind: "reply", text: tooEarly };
      if (card.word !== null && !card.isWorded)
        return { kind: "await-word", isTapped: true, read, text: nowTheWord };
      return { kind: "decide", answer: "yes" };
  }
}

/** It may stand on a lock screen, and so the word itself does not stand in it. */
const nowTheWord = "Now write here the word that stands on the question.";
const copied = "This is no open question of yours, so nothing was answered.";
const notYours = "This question is for somebody else, so nothing was answered.";
const tooLong = "This is too long for a chat, so nothing was answered. Read and answer it at the terminal.";
const unread = "You have not seen all of it, so nothing was answered. Details shows the rest.";
const tooEarly = "You tapped before you could read it, so nothing was answered. Read it, then tap again.";

/** What the owner is told who answers a message that is not known, while a question waits. */
export const otherCopy =
  "That message is no question that I know, so nothing was answered. A question may have come twice: react to the last one.";

/** What a person is told whose tap is on no card that is kept. */
export const unknownTap = "This question waits no longer, so nothing was answered. /status lists what waits.";

/** The words for an answer that counted. */
export function confirmationOf(end: QuestionEnd): string {
  const words = {
    yes: "Yes, this once.",
    no: "No. It is not done.",
    lapsed: "It lapsed, which means no.",
    gone: "It ended without an answer.",
  } as const;
  return words[end];
}

/** The words for an answer that came after the end. */
export function alreadyEnded(end: QuestionEnd): string {
  const what = {
    yes: "This question was answered before, with yes.",
    no: "This question was answered before, with no.",
    lapsed: "This question has lapsed, which means no.",
    gone: "This question ended with its turn.",
  } as const;
  return `${what[end]} Your answer changed nothing.`;
}

/** What became of a question, on the button that does nothing any more. */
export function outcomeOf({ end }: OpenCard, time: (at: number) => string): string {
  if (end === null) return "";
  const words = {
    yes: "✓ Yes, once",
    no: "✗ No",
    lapsed: "✗ Lapsed, which means no",
    gone: "Ended without an answer",
  } as const;
  const isAnswer = end.kind === "yes" || end.kind === "no";
  return `${words[end.kind]}${isAnswer && !end.isHere ? ", answered elsewhere" : ""} · ${time(end.at)}`;
}

/** A new card for a question in one chat, which shows nothing yet. */
export function newCard(
  { chat, member }: CardPlace,
  { session, turn, expiresAt }: QuestionKey,
  card: Card,
): OpenCard {
  return {
    form,
    id: randomBytes(12).toString("base64url"),
    chat,
    member,
    session,
    turn,
    expiresAt,
    card,
    shown: [],
    read: 0,
    isTapped: false,
    isWorded: false,
    word: card.word,
    decision: null,
    end: null,
    isTold: false,
  };
}
