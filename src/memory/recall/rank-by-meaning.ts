import { greatest } from "../../text/lists.ts";
/** A text that is near in meaning: how far it is above the mean of its kind in standard deviations. */
export type NearText = { readonly id: string; readonly deviations: number };

/** A text and its rank: 1 for the best match by words of its kind, more with what its meaning adds. */
export type RankedText = { readonly id: string; readonly score: number };

/** What each standard deviation of nearness in meaning adds, as a share of the best score by words; and how many count. */
const meaningShare = 0.3;
const mostDeviations = 4;

/** Ranks texts of one kind by their score by words with what their meaning adds, best first. A weak embedder, which finds all texts about equally near, changes little. */
export function rankByMeaning(
  worded: readonly RankedText[],
  meant: readonly NearText[],
): readonly RankedText[] {
  const best = greatest(worded.map(({ score }) => score));
  const scores = new Map(worded.map(({ id, score }) => [id, score / best]));
  for (const { id, deviations } of meant) {
    const added = meaningShare * Math.min(mostDeviations, deviations);
    if (added > 0) scores.set(id, (scores.get(id) ?? 0) + added);
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((one, other) => other.score - one.score);
}
