import type { Offer } from "../../signal/offer.ts";
import type { PlaceInStep } from "../calls/step-calls.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, widthOf } from "../screen/toolkit.ts";

/** What a frame gives the dialog. */
export type DialogFrame = {
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
  readonly waiting: readonly string[];
  /** Which of the questions of its step it is; null for the only one. */
  readonly place: PlaceInStep | null;
  /** Where a key goes now. `soon`: to the question, once nobody has typed for a moment. */
  readonly keyboard: "question" | "soon" | "prompt";
  /** The answer that is given if no other key follows; empty where none is. */
  readonly held: string;
};

/** What the row of keys below a question depends on. */
export type DialogKeys = DialogFrame & {
  readonly offers: readonly Offer[];
  readonly isPlan: boolean;
  /** Whether all of the question has been on the screen. */
  readonly isSeen: boolean;
  readonly asksOffer: boolean;
  /** A yes came before that. */
  readonly refused: boolean;
  readonly details: boolean;
  readonly turn: string;
};

/** The keys of a question, or where the keys go now. */
export function keysRow(given: DialogKeys, columns: number): string {
  const { theme, keyboard, held, offers, asksOffer, refused } = given;
  const warn = (text: string): string => theme.warning(cut(text, columns));
  if (held !== "") return warn(`${held} … · another key now makes it words for the agent`);
  if (keyboard === "prompt")
    return theme.dim(cut("Your keys go to the prompt below. Empty it to answer.", columns));
  if (refused) return warn("Not approved: PageDown (or ↓) shows the rest first.");
  if (asksOffer) {
    const keys = offers.length === 1 ? "a again or 1" : `1 to ${offers.length}`;
    return warn(`${keys}: ${offerWords(offers)} · any other key: back`);
  }
  const shown = widthOf(longKeys(given)) <= columns ? longKeys(given) : cut(shortKeys(given), columns);
  return keyboard === "soon" ? theme.dim(shown) : theme.bold(shown);
}

function longKeys(given: DialogKeys): string {
  const { isPlan, isSeen, details } = given;
  const yes = isPlan ? "y approve all" : "y yes";
  return [
    isSeen ? yes : `PageDown, then ${yes}`,
    "n no",
    "w no, and say why",
    `d ${details ? "hide" : "details"}`,
    ...more(given),
  ].join("   ");
}

function shortKeys(given: DialogKeys): string {
  const { isSeen, details } = given;
  return [
    isSeen ? "y yes" : "PgDn, y yes",
    "n no",
    "w why",
    `d ${details ? "less" : "more"}`,
    ...more(given),
  ].join(" ");
}

/** The keys that not every question has. */
function more({ offers, waiting, turn }: DialogKeys): readonly string[] {
  const isRule = offers.some(({ effect }) => effect === "keep-rule");
  return [
    ...(offers.length === 0 ? [] : [isRule ? "a always" : "a yes, and"]),
    ...(waiting.length > 1
      ? [`Tab ${waiting.indexOf(turn) + 1} of ${waiting.length} waiting`, "l list"]
      : []),
  ];
}

/** What the next key decides. */
function offerWords(offers: readonly Offer[]): string {
  if (offers.length > 1) return "yes, with what stands beside the number";
  return offers[0]?.effect === "keep-rule" ? "keep this rule, and say yes" : "yes, with this value as yours";
}
