import { greatest } from "../../text/lists.ts";
import { findVariants, splitCompound, type Variants } from "./find-variants.ts";
import type { Question } from "./question.ts";
import { languageOf } from "./question-words.ts";
import type { Stemmer } from "./stemmers.ts";
import type { SynonymFinder } from "./synonyms.ts";
import { dayTerm, type Vocabulary } from "./vocabulary.ts";

/** Something that a question asks for: a word, a phrase or days, as the terms that a row may have it by. */
export type Concept = {
  /** The weight of each term that stands for it. */
  readonly terms: ReadonlyMap<string, number>;
  /** Those that alone do not relate a row to the question: other words for it, and days where the question asks for more than days. */
  readonly indirect: ReadonlySet<string>;
  /** How rare it is: what it counts in a row that has it whole. */
  readonly rarity: number;
  /** True for a phrase, whose words are concepts too. */
  readonly isPhrase: boolean;
};

/** What the concepts of a question are read with. */
export type ConceptParts = {
  readonly vocabulary: Vocabulary;
  readonly synonyms: SynonymFinder;
  /** The stemmers of the question's language. */
  readonly stemmers: readonly Stemmer[];
  /** How rare a number of rows is. */
  readonly rarityOf: (rows: number) => number;
};

/** A concept that no row has still counts for how much of a question a row covers, by this share of its rarity. */
const unknownShare = 0.4;

/** Words of a question beyond these count only as they are: each variant costs a search. */
const mostExpanded = 24;

/** The concepts of a question: its words with what may stand for them, its phrases, and its days. */
export function readConcepts(parts: ConceptParts, question: Question): readonly Concept[] {
  const { vocabulary, rarityOf, synonyms, stemmers } = parts;
  const { count } = vocabulary;
  const plain = [...question.plain];
  const language = languageOf(plain);
  const sought = {
    vocabulary,
    synonyms,
    inflected: language === "german" || language === "dutch",
    stemmers,
    plain,
    terms: question.terms,
    names: question.names,
  };
  const concept = (variants: Variants, own: number): Concept => {
    const rarest = greatest([0, ...[...variants.keys()].map((term) => rarityOf(count(term)))]);
    const rarity = own > 0 ? rarityOf(own) : variants.size > 0 ? rarest : unknownShare * rarityOf(0);
    const terms = [...variants].map(([term, weight]): [string, number] => [
      term,
      weight * Math.min(rarity, rarityOf(count(term))),
    ]);
    return { terms: new Map(terms), indirect: new Set(), rarity, isPhrase: false };
  };
  const words = question.terms.flatMap((term, at) => {
    if (at >= mostExpanded) return [concept(count(term) > 0 ? new Map([[term, 1]]) : new Map(), count(term))];
    const variants = findVariants(sought, term);
    const split = variants.size === 0 ? splitCompound(sought, term) : [];
    if (split.length > 0) return split.map((part) => concept(part, 0));
    return [{ ...concept(variants, count(term)), indirect: new Set(synonyms(term)) }];
  });
  const phrases = [...question.phrases, ...question.required].map((phrase) => ({
    ...concept(new Map([[phrase, 1]]), count(phrase)),
    isPhrase: true,
  }));
  return [
    ...words,
    ...phrases,
    ...readDays(
      parts,
      question,
      words.some(({ terms }) => terms.size > 0),
    ),
  ];
}

/** The days of a question as one concept: the days that rows have, and the words that name them. */
function readDays(
  { vocabulary, rarityOf }: ConceptParts,
  { days, dayWords }: Question,
  hasOthers: boolean,
): readonly Concept[] {
  const terms = new Map<string, number>();
  for (const { from, to, weight } of days) {
    for (const term of vocabulary.between(dayTerm(from), dayTerm(to))) {
      terms.set(term, Math.max(weight, terms.get(term) ?? 0));
    }
  }
  const words = dayWords.filter((word) => vocabulary.count(word) > 0);
  const sought = terms.size > 0 ? [...terms.keys()] : words;
  if (sought.length === 0) return [];
  const rarity = rarityOf(sought.reduce((sum, term) => sum + vocabulary.count(term), 0));
  for (const word of words)
    terms.set(word, wordOfDay * Math.min(1, rarityOf(vocabulary.count(word)) / rarity));
  return [
    {
      terms: new Map([...terms].map(([term, weight]) => [term, weight * rarity])),
      indirect: new Set(hasOthers ? terms.keys() : []),
      rarity,
      isPhrase: false,
    },
  ];
}

/** The weight of the name of a month or a weekday, which may be of another year or week. */
const wordOfDay = 1;
