import type { Database } from "../storage/database.ts";
import { text } from "../storage/rows.ts";

/** The words of a table's rows, as stems. */
export type Vocabulary = {
  /** The approximate number of rows with a term or phrase. */
  readonly count: (term: string) => number;
  /** Terms that begin with a prefix and are longer than it, in order, at most so many. */
  readonly beginning: (prefix: string, limit: number) => readonly string[];
  /** Long terms (8 letters or more) that end with a suffix and are longer than it. */
  readonly ending: (suffix: string, limit: number) => readonly string[];
  /** Terms from one to another, both included. */
  readonly between: (from: string, to: string) => readonly string[];
};

/** Private-use characters, which no word of a text contains, before a reversed word and before a day. */
const reversedMark = "\u{e001}";
const dayMark = "\u{e002}";
const afterAll = "\u{10ffff}";

/** The least letters of a word that is found by its end: shorter ones are seldom compounds. */
const longWord = 8;

/** The words of a row by which it is found besides its own: long words reversed, so that a prefix of them is a suffix of the word. */
export function reversedWords(words: readonly string[]): readonly string[] {
  const long = new Set(words.filter((word) => word.length >= longWord && /^\p{L}+$/u.test(word)));
  return [...long].map((word) => `${reversedMark}${reverse(word)}`);
}

/** The term of a day, by its number of days since 1970. Terms are in the order of the days. */
export function dayTerm(day: number): string {
  return `${dayMark}${String(Math.max(0, day)).padStart(6, "0")}`;
}

/** True for a term that is a word, and not a mark of one. */
export function isPlainTerm(term: string): boolean {
  return !/^\p{Co}/u.test(term);
}

/** Opens the vocabulary of a text table. It is read from the index itself, so it is never out of date. */
export function openVocabulary(database: Database, name: string, count: Vocabulary["count"]): Vocabulary {
  const terms = (from: string, to: string, limit: number): readonly string[] =>
    database
      .all(`SELECT term FROM ${name}_terms WHERE term >= ? AND term <= ? LIMIT ?`, from, to, limit)
      .map((row) => text(row, "term"));
  const longer = (prefix: string, limit: number): readonly string[] =>
    terms(`${prefix}\u{1}`, `${prefix}${afterAll}`, limit);
  return {
    count,
    beginning: longer,
    ending: (suffix, limit) =>
      longer(`${reversedMark}${reverse(suffix)}`, limit).map((term) =>
        reverse(term.slice(reversedMark.length)),
      ),
    between: (from, to) => terms(from, to, 4000),
  };
}

function reverse(word: string): string {
  return [...word].reverse().join("");
}
