import type { CandidateRow } from "./score-rows.ts";
import { isPlainTerm } from "./vocabulary.ts";

const rowsTrusted = 8;
const termsLearned = 20;
const worthLearned = 0.3;
/** A word in a larger share of all rows is too common. */
const commonShare = 0.1;
/** How many candidate words are looked up. */
const termsTried = 25;

/** What the expansion needs: the terms of the question, and the frequency of terms. */
export type ExpansionParts = {
  readonly known: ReadonlySet<string>;
  readonly count: (term: string) => number;
  readonly rarity: (term: string) => number;
  readonly rows: number;
};

/**
 * Expands a question with terms that are frequent in the best rows of a first search and rare elsewhere, at a lower weight (pseudo-relevance feedback, as in RM3):
 * a question about pottery then also finds rows about clay, where the two occur together.
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
      if (known.has(word) || !isPlainTerm(word)) continue;
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
