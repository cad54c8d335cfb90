import type { Label } from "../../signal/label.ts";
import { isSmallTalk } from "../search/question-words.ts";
import { plainWords } from "../search/read-words.ts";
import type { SemanticSearch } from "./search-memory.ts";

/** A note whose meaning is that of some words, and how similar they are, from 0 to 1. */
export type MeantNote = { readonly id: string; readonly similarity: number };

/** What finding notes by meaning needs. Milliseconds. */
export type NotesByMeaningParts = {
  /** Null where no embedding provider is set up. */
  readonly semanticIndex: SemanticSearch | null;
  /** How many notes there are. */
  readonly count: () => Promise<number>;
  /**
   * How long whoever writes a prompt waits for the vector of the words. It is kept for the next time, if it
   * comes later.
   */
  readonly patience: number;
};

/** What each standard deviation above the mean of all notes counts. */
const similarityShare = 0.25;

/**
 * Makes a function that finds the notes that stand out by their meaning: those that are nearer to the words
 * than the nearest of as many unrelated notes would be.
 * None for a greeting, and where the vector of the words does not come in time.
 */
export function makeNotesByMeaning({
  semanticIndex,
  count,
  patience,
}: NotesByMeaningParts): (words: string, label: Label, limit: number) => Promise<readonly MeantNote[]> {
  return async (words, label, limit) => {
    if (semanticIndex === null || isSmallTalk(plainWords(words))) return [];
    const near = await inTime(semanticIndex.nearest(words, label, limit), patience);
    if (near === null || near.notes.length === 0) return [];
    // The greatest of so many normal values, as expected.
    const usual = Math.sqrt(2 * Math.log(Math.max(2, await count())));
    return near.notes
      .filter(({ deviations }) => deviations > usual)
      .map(({ id, deviations }) => ({ id, similarity: Math.min(1, similarityShare * deviations) }));
  };
}

async function inTime<T>(work: Promise<T>, patience: number): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), patience);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
