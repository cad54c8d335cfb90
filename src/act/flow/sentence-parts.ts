import type { Clause } from "../../text/words/find-clauses.ts";
import type { Word } from "../../text/words/tokens.ts";

export type Span = { readonly from: number; readonly to: number };

/** The sentences of a text, by the places of their words. */
export function sentencesOf(words: readonly Word[]): readonly Span[] {
  const starts = words.flatMap(({ after, role }, at) =>
    at === 0 || (after === "sentence" && !(role === "content" && words[at - 1]?.role === "content"))
      ? [at]
      : [],
  );
  return starts.map((from, order) => ({ from, to: starts[order + 1] ?? words.length }));
}

/** The word in a place. */
export const textAt = (words: readonly Word[], at: number): string => words[at]?.text ?? "";

/** Where the words of a clause stand. */
export function placesIn({ from, to }: Pick<Clause, "from" | "to">): readonly number[] {
  return Array.from({ length: to - from }, (_, order) => from + order);
}

/** The words between a verb and the joint before it. */
export function leadOf(
  { at, from, to }: Pick<Clause, "at" | "from" | "to">,
  words: readonly Word[],
): readonly number[] {
  const lead: number[] = [];
  let place = to === at ? from : at;
  while (place > 0 && words[place]?.after === "nothing" && !joints.has(words[place - 1]?.text ?? "")) {
    place--;
    lead.push(place);
  }
  return lead;
}

const joints: ReadonlySet<string> = new Set("and und then dann or oder".split(" "));

/**
 * "Let me read it first", "I'd like to check it", "Mark must agree": the owner or somebody else acts, and
 * not the agent.
 */
export function isOwners(clause: Clause, words: readonly Word[]): boolean {
  const lead = leadOf(clause, words).map((at) => words[at]?.text ?? "");
  if (lead.some((text) => lettingWords.has(text)) || modals.has(words[clause.at + 1]?.text ?? ""))
    return true;
  return clause.senses.length === 0 && lead.some((text) => selves.has(text)) && !lead.includes("you");
}

const lettingWords: ReadonlySet<string> = new Set(["let", "lass"]);
const selves: ReadonlySet<string> = new Set("i i'd i'll we ich wir".split(" "));
const modals: ReadonlySet<string> = new Set(
  "must should shall will would can could may might has have had is was needs wants muss soll will kann hat ist".split(
    " ",
  ),
);
