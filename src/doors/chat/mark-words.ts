/** A part of a text. UTF-16 code units. */
export type TextRange = { readonly start: number; readonly length: number };

/**
 * How a part of a message is shown. `plain`: as any words. `quoted`: as people mark what is not theirs, or
 * what is not to be read at once. `struck`: taken back.
 */
export type Showing = "plain" | "quoted" | "struck";

type Mark = TextRange & { readonly showing: Showing };

/** UTF-16 code units of one message that are read. */
export const longestWords = 100_000;
/** Marks of one message that are told apart. */
const mostMarks = 100;

/** `quotes`: the parts of the text that are no words of its writer, each place once, in their order. */
export type MarkedWords = { readonly text: string; readonly quotes: readonly string[] };

/**
 * The words of a message with what is marked in them. What is struck out stands between `~~` in the text, as
 * people type it: the model sees it too, and not even a value in it counts as typed. Where there are too
 * many marks the whole text counts as quoted.
 */
export function markWords(given: string, marks: readonly Mark[]): MarkedWords {
  const marked = marks.filter(({ showing }) => showing !== "plain");
  if (marked.length > mostMarks) return { text: given, quotes: [given] };
  const quotes: string[] = [];
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, isStruck } of mergeMarks(given, marked)) {
    const part = given.slice(start, end);
    const quote = isStruck ? `~~${part}~~` : part;
    pieces.push(given.slice(done, start), quote);
    quotes.push(quote);
    done = end;
  }
  return { text: [...pieces, given.slice(done)].join(""), quotes };
}

type Part = { start: number; end: number; isStruck: boolean };

function mergeMarks(text: string, marked: readonly Mark[]): readonly Part[] {
  const parts: Part[] = [];
  for (const { start, length, showing } of marked.toSorted((one, other) => one.start - other.start)) {
    const from = Math.max(0, start);
    const end = Math.min(text.length, start + length);
    const isStruck = showing === "struck";
    const last = parts.at(-1);
    if (end <= from) continue;
    if (last === undefined || from > last.end) parts.push({ start: from, end, isStruck });
    else {
      last.end = Math.max(last.end, end);
      last.isStruck ||= isStruck;
    }
  }
  return parts;
}
