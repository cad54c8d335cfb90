import { languageOf } from "./question-words.ts";

/** Gives the stem of a word by Snowball's algorithm for a language. */
export type Stemmer = (word: string) => string;

/**
 * The stemmers by which the words of a question are inflected: its language's. None for English, whose stems the index itself has; all where no word tells the language.
 * They are loaded when they are first needed.
 */
export async function loadStemmers(words: readonly string[]): Promise<readonly Stemmer[]> {
  const language = languageOf(words);
  if (language === "english") return [];
  const { snowballStemmers } = await import("./snowball.ts");
  return language === null ? Object.values(snowballStemmers) : [snowballStemmers[language]];
}

/**
 * The endings that the index may have removed. Its terms went through the English stemmer, so that a term is compared with each of them put back.
 */
const removed = ["", "e", "s"];

/** The stems that a term of the index, or a word of a question, may have in its own language. */
export function possibleStems(stem: Stemmer, term: string): readonly string[] {
  return [...new Set(removed.map((ending) => stem(term + ending)))];
}
