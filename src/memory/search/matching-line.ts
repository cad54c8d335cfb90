import { emptyWords } from "./question-words.ts";
import { plainWords } from "./read-words.ts";

/** Longest match in UTF-16 units. */
const longest = 160;
/** Two words match where they begin with the same letters, so many at least. */
const sharedBeginning = 4;

/** The line of a text that has most words of a query, for a person; the first line with words where none has any. Headings, drawers and planning lines count only where nothing else is there. */
export function matchingLine(query: string, text: string): string {
  const plain = plainWords(query);
  const empty = emptyWords(plain);
  const wanted = plain.filter((word) => !empty.has(word));
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const said = lines.filter((line) => !/^(?:\*+ |:[\w-]+:|(?:SCHEDULED|DEADLINE|CLOSED):)/.test(line));
  const ranked = (said.length > 0 ? said : lines)
    .map((line) => ({ line, words: countShared(wanted, plainWords(line)) }))
    .toSorted((one, other) => other.words - one.words);
  const best = ranked[0]?.line ?? "";
  return best.length > longest ? `${best.slice(0, longest - 1).toWellFormed()}…` : best;
}

function countShared(wanted: readonly string[], words: readonly string[]): number {
  return wanted.filter((word) => words.some((other) => word === other || startAlike(word, other))).length;
}

function startAlike(one: string, other: string): boolean {
  return (
    one.length >= sharedBeginning && other.startsWith(one.slice(0, Math.max(sharedBeginning, one.length - 2)))
  );
}
