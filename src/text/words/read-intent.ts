import { type Clause, findClauses } from "./find-clauses.ts";
import type { Sense } from "./lexicon.ts";
import { signsIn, splitWords, type Word } from "./tokens.ts";
import { withoutExcepted } from "./withheld.ts";

/** What the owner's words of a turn ask for. */
export type Intent = {
  /** Every word that was typed, in order. What the owner leaves out is content. */
  readonly words: readonly Word[];
  /** The same words as they were typed. */
  readonly typed: readonly Word[];
  /** The signs and marks between the words. */
  readonly signs: readonly string[];
  /** The requests, in order. */
  readonly clauses: readonly Clause[];
  /** What the words forbid: an act with one of these senses has no licence. */
  readonly forbidden: readonly Sense[];
  /** The sentences that ask for nothing: what the owner tells. */
  readonly statements: readonly (readonly Word[])[];
};

/** Words beyond these are not read: they license nothing. */
const mostCharacters = 20_000;

/** Reads what the words of this turn ask for. Deterministic: a table of verbs and no guess. */
export function readIntent(typed: readonly string[]): Intent {
  const read = typed.map((text) => text.slice(0, mostCharacters));
  const texts = read.map(splitWords);
  const words = texts.flatMap(withoutExcepted);
  return { words, typed: texts.flat(), signs: read.flatMap(signsIn), ...findClauses(words) };
}
