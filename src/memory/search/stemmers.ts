import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { type Language, languageOf } from "./question-words.ts";

/** Gives the stem of a word by Snowball's algorithm for a language. */
export type Stemmer = (word: string) => string;

const stemmers: Readonly<Record<Exclude<Language, "english">, Stemmer>> = {
  german,
  dutch,
  french,
  spanish,
  italian,
  portuguese,
};

/** The stemmers by which the words of a question are inflected: its language's. None for English, whose stems the index itself has; all where no word tells the language. */
export function stemmersFor(words: readonly string[]): readonly Stemmer[] {
  const language = languageOf(words);
  if (language === null) return Object.values(stemmers);
  return language === "english" ? [] : [stemmers[language]];
}

/**
 * The endings that the index may have removed. Its terms went through the English stemmer, so that a term is compared with each of them put back.
 */
const removed = ["", "e", "s"];

/** The stems that a term of the index, or a word of a question, may have in its own language. */
export function possibleStems(stem: Stemmer, term: string): readonly string[] {
  return [...new Set(removed.map((ending) => stem(term + ending)))];
}
