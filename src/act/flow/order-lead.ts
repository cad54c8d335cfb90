import type { Clause } from "../../text/words/find-clauses.ts";
import type { Word } from "../../text/words/tokens.ts";
import type { Span } from "./sentence-parts.ts";

/**
 * Whether the words before a verb say who acts as an order does: "I want", "could you", "you must", and not
 * "can we", "you want", "I just now", "to".
 */
export function leadsToOrder(lead: readonly string[]): boolean {
  return (
    lead[0] !== "to" &&
    lead.every((text, at) => {
      const isAsked = abilities.has(lead[at - 1] ?? "");
      if (selves.has(text)) return !isAsked && lead.some((_, place) => place >= at && isWish(lead, place));
      if (!addressed.has(text)) return true;
      const isWished = lead.some((_, place) => place < at && isWish(lead, place));
      const behind = lead.slice(at + 1);
      return (isAsked || isWished || behind.some((word) => duties.has(word))) && !wishes.has(behind[0] ?? "");
    })
  );
}

/** "Want", "would like" and "ich will"; "I will" and "I like" tell. */
function isWish(lead: readonly string[], at: number): boolean {
  const [before = "", text = ""] = [lead[at - 1], lead[at]];
  if (text === "like") return before === "would" || before === "i'd";
  return text === "will" ? before === "ich" : wishes.has(text);
}

/** Whether a sentence with a request ends as a question that is none of "could you …?". */
export function isDoubt({ from, to }: Span, clauses: readonly Clause[], words: readonly Word[]): boolean {
  const last = words[to - 1];
  const next = words[to];
  // A question behind a colon, or in quotes, is what a message says.
  const isSaid = next !== undefined && (next.announced || next.role !== "plain");
  if (last?.asked !== true || last.role !== "plain" || isSaid) return false;
  return !clauses.some(({ at: verb }) =>
    words
      .slice(from, verb)
      .some(({ text }, at) => abilities.has(text) && addressed.has(words[from + at + 1]?.text ?? "")),
  );
}

const selves: ReadonlySet<string> = new Set("i i'd we ich".split(" "));
const addressed: ReadonlySet<string> = new Set("you du sie".split(" "));
const abilities: ReadonlySet<string> = new Set("can could will would kannst könntest würdest".split(" "));
const wishes: ReadonlySet<string> = new Set("want need like möchte".split(" "));
const duties: ReadonlySet<string> = new Set("must should have".split(" "));
