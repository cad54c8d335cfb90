import type { CandidateRow } from "./score-rows.ts";

const rowsTrusted = 8;
const termsLearned = 20;
const worthLearned = 0.4;
/** A word that a larger share of all rows has says nothing. */
const commonShare = 0.1;
/** How many of the words of the best rows are looked up. */
const termsTried = 25;

/** What terms are learned with: those that are known already, and how many rows have a term. */
export type ExpansionParts = {
  readonly known: ReadonlyMap<string, number>;
  readonly count: (term: string) => number;
  readonly rarity: (term: string) => number;
  readonly rows: number;
};

/**
 * Terms that the best rows of a first search have and that are rare elsewhere, at a share of the worth of those that were asked for (pseudo-relevance feedback, as in RM3):
 * a question about pottery so finds what is said of clay where both are talked of together.
 */
export function expandTerms(
  scores: ReadonlyMap<CandidateRow, number>,
  { known, count, rarity, rows }: ExpansionParts,
): ReadonlyMap<string, number> {
  const best = [...scores].toSorted(([, one], [, other]) => other - one).slice(0, rowsTrusted);
  const sum = best.reduce((total, [, score]) => total + score, 0);
  const shares = new Map<string, number>();
  for (const [row, score] of best) {
    for (const word of row.columns[1] ?? []) {
      if (known.has(word)) continue;
      shares.set(word, (shares.get(word) ?? 0) + score / sum / (row.size + 10));
    }
  }
  const learned = [...shares]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, termsTried)
    .filter(([word]) => count(word) > 1 && count(word) <= commonShare * rows)
    .map(([word, share]): [string, number] => [word, share * rarity(word)])
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, termsLearned);
  const highest = learned[0]?.[1] ?? 1;
  return new Map(learned.map(([word, share]) => [word, (worthLearned * rarity(word) * share) / highest]));
}
