import { isWithinDistance } from "../../text/edit-distance.ts";
import { stemWord } from "./stem-word.ts";
import { possibleStems, type Stemmer } from "./stemmers.ts";
import type { SynonymFinder } from "./synonyms.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Terms that may stand for a word of the question, with the weight from 0 to 1 of each. */
export type Variants = Map<string, number>;

/** What variants are sought by. */
export type VariantParts = {
  readonly vocabulary: Vocabulary;
  readonly synonyms: SynonymFinder;
  /** True for a question in German or Dutch: words are inflected and joined as in these languages. */
  readonly inflected: boolean;
  /** The stemmers of the question's language; several where it is not known. */
  readonly stemmers: readonly Stemmer[];
  /** The question's words as they are, in lower case and without accents. */
  readonly plain: readonly string[];
  /** Stems of the question's words. */
  readonly terms: readonly string[];
  /** The stems of capitalised words, which may be names. */
  readonly names: ReadonlySet<string>;
};

/** The weight of each kind of variant. */
const weights = { form: 0.85, pair: 0.95, synonym: 0.5, oneTypo: 0.8, twoTypos: 0.6, wider: 0.4, part: 0.6 };

/** Endings that German and Dutch words take, and the letters between the parts of a compound. */
const endings: ReadonlySet<string> = new Set([
  "",
  "e",
  "en",
  "er",
  "es",
  "em",
  "ern",
  "n",
  "s",
  "st",
  "t",
  "te",
  "ten",
  "d",
  "de",
  "den",
  "je",
  "jes",
  "in",
  "innen",
]);
const links: ReadonlySet<string> = new Set(["", "s", "es", "n", "en", "er", "e"]);

const shortestStem = 4;
const shortestPart = 3;
const longestList = 60;
/** Terms that are compared with a word by their stems. */
const mostForms = 200;
const mostTypos = 4;
/** Longer words have no variants. */
const longestTerm = 40;
/** How far apart, in words of the question, the parts of a compound may stand. */
const nearWords = 4;

/** The terms of the vocabulary that may stand for a word: itself, other forms of it, compounds with another word of the question, words that mean the same, and, where there is none of these, words that are spelt almost like it. */
export function findVariants(parts: VariantParts, term: string): Variants {
  const { vocabulary, inflected } = parts;
  const variants: Variants = new Map();
  const isKnown = vocabulary.count(term) > 0;
  if (isKnown) variants.set(term, 1);
  if (isSingleUnspaced(term)) {
    for (const longer of vocabulary.beginning(term, longestList)) add(variants, longer, 1);
    return variants;
  }
  const spelled = withoutDigraphs(term);
  if (spelled !== term && !isKnown && isLatin(term))
    for (const [other, weight] of findVariants(parts, spelled)) add(variants, other, weight);
  if (isLatin(term) && term.length >= shortestStem) {
    if (inflected || !isKnown || parts.stemmers.length === 1) addInflected(parts, term, variants);
    addLonger(parts, term, variants);
    if (inflected) addPastForms(parts, term, variants);
    if (inflected || !isKnown) addWider(parts, term, variants);
  }
  for (const same of parts.synonyms(term)) {
    if (vocabulary.count(same) > 0) add(variants, same, weights.synonym);
  }
  if (variants.size === 0) addTypos(parts, term, variants);
  return variants;
}

/** The parts of a compound that is in no row, each with its forms in the vocabulary; none where it is no compound of known words. */
export function splitCompound(
  { vocabulary }: Pick<VariantParts, "vocabulary">,
  word: string,
): readonly Variants[] {
  return (
    [word, withoutDigraphs(word)]
      .map((term) => splitAnywhere(vocabulary, term))
      .find((parts) => parts.length > 0) ?? []
  );
}

function splitAnywhere(vocabulary: Vocabulary, term: string): readonly Variants[] {
  if (!isLatin(term) || term.length < 2 * shortestPart + 1) return [];
  for (let at = term.length - shortestPart; at >= shortestPart; at -= 1) {
    const second = formsOf(vocabulary, term.slice(at));
    if (second.size === 0) continue;
    const first = firstPart(vocabulary, term.slice(0, at));
    if (first.size > 0) return [first, second];
  }
  return [];
}

function add(variants: Variants, term: string, weight: number): void {
  variants.set(term, Math.max(weight, variants.get(term) ?? 0));
}

function isLatin(term: string): boolean {
  return term.length <= longestTerm && /^\p{Script=Latin}+$/u.test(term);
}

function isSingleUnspaced(term: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(term);
}

/** The same word where German umlauts were written as two letters. */
function withoutDigraphs(term: string): string {
  return term.replaceAll(/([aou])e/g, "$1");
}

/** Other forms of a word: terms with the same stem in the question's language. */
function addInflected({ vocabulary, stemmers, plain }: VariantParts, term: string, variants: Variants): void {
  for (const stem of stemmers) {
    const own = [...possibleStems(stem, term), ...plain.filter((word) => stemWord(word) === term).map(stem)];
    const stems = new Set(own);
    const shortest = own.reduce((one, other) => (other.length < one.length ? other : one));
    // A stem can end otherwise than its word: `chevaux`, `cheval`.
    const begin = shortest.slice(0, Math.max(shortestPart, shortest.length - 1));
    for (const form of vocabulary.beginning(begin, mostForms)) {
      if (possibleStems(stem, form).some((same) => stems.has(same))) add(variants, form, weights.form);
    }
  }
}

/** Longer forms of a word, and compounds of it and another word of the question, or of words that mean the same. */
function addLonger(parts: VariantParts, term: string, variants: Variants): void {
  const { vocabulary, inflected } = parts;
  const isKnown = vocabulary.count(term) > 0;
  if (inflected || !isKnown) {
    const core = coreOf(term);
    if (core !== term && vocabulary.count(core) > 0) add(variants, core, weights.form);
    for (const longer of vocabulary.beginning(core, longestList)) {
      if (endings.has(longer.slice(core.length))) add(variants, longer, weights.form);
    }
  }
  const own = [term, ...parts.synonyms(term)].filter((word) => word.length >= shortestPart);
  const at = parts.terms.indexOf(term);
  for (const other of parts.terms.slice(Math.max(0, at - nearWords), at + nearWords + 1)) {
    if (other === term) continue;
    for (const same of [other, ...parts.synonyms(other)]) {
      const weight = same === other ? weights.pair : weights.pair * weights.synonym;
      for (const word of own) {
        const factor = word === term ? weight : weight * weights.synonym;
        for (const longer of compoundsOf(vocabulary, same, word)) add(variants, longer, factor);
        for (const longer of compoundsOf(vocabulary, word, same)) add(variants, longer, factor);
      }
    }
  }
}

/** The compounds that begin with one word and end with another. */
function compoundsOf(vocabulary: Vocabulary, first: string, second: string): readonly string[] {
  if (first.length < shortestPart || second.length < shortestPart || !isLatin(first)) return [];
  return [...new Set([first, coreOf(first)])].flatMap((begin) =>
    vocabulary.beginning(begin, longestList).filter((longer) => restIs(longer.slice(begin.length), second)),
  );
}

/** A word without an ending of German or Dutch. */
function coreOf(term: string): string {
  const ending = /(?:ern|en|er|es|em|e|n|s)$/.exec(term)?.[0] ?? "";
  return term.length - ending.length >= shortestStem ? term.slice(0, term.length - ending.length) : term;
}

/** True if the rest of a compound is this word, up to a link before it and an ending behind it. */
function restIs(rest: string, word: string): boolean {
  const core = coreOf(word);
  const at = rest.indexOf(core);
  return at >= 0 && links.has(rest.slice(0, at)) && endings.has(rest.slice(at + core.length));
}

/** `geschilderd` and `getauscht` for `schilderen` and `tauschen`, and the other way round. */
function addPastForms({ vocabulary }: VariantParts, term: string, variants: Variants): void {
  const base = /^ge(.{3,}?)(?:en|et|t|d)$/.exec(term)?.[1];
  if (base !== undefined) {
    for (const form of vocabulary.beginning(base, longestList)) {
      if (endings.has(form.slice(base.length))) add(variants, form, weights.form);
    }
    return;
  }
  const core = coreOf(term);
  for (const form of vocabulary.beginning(`ge${core}`, longestList)) {
    if (endings.has(form.slice(core.length + 2))) add(variants, form, weights.form);
  }
}

/** Compounds that have the word as a part. */
function addWider({ vocabulary }: VariantParts, term: string, variants: Variants): void {
  const core = coreOf(term);
  const begun = vocabulary.beginning(core, longestList).filter((longer) => {
    const rest = longer.slice(core.length);
    return (
      rest.length > shortestPart &&
      [...links].some((link) => rest.startsWith(link) && isWord(vocabulary, rest.slice(link.length)))
    );
  });
  const ended = [term, core].flatMap((end) =>
    vocabulary
      .ending(end, longestList)
      .filter((longer) => firstPart(vocabulary, longer.slice(0, -end.length)).size > 0),
  );
  for (const longer of [...begun, ...ended]) add(variants, longer, weights.wider);
}

function isWord(vocabulary: Vocabulary, part: string): boolean {
  return part.length >= shortestPart && formsOf(vocabulary, part).size > 0;
}

/** The forms of a part of a compound that are words of their own. */
function formsOf(vocabulary: Vocabulary, part: string): Variants {
  const found: Variants = new Map();
  for (const form of new Set([part, stemWord(part), coreOf(part)])) {
    if (form.length >= shortestPart && vocabulary.count(form) > 0) add(found, form, weights.part);
  }
  if (part.length >= shortestStem) {
    for (const longer of vocabulary.beginning(part, longestList)) {
      if (endings.has(longer.slice(part.length))) add(found, longer, weights.part);
    }
  }
  return found;
}

/** The forms of the first part of a compound, with or without the letters that link it. */
function firstPart(vocabulary: Vocabulary, part: string): Variants {
  const found: Variants = new Map();
  for (const link of links) {
    if (!part.endsWith(link) || part.length - link.length < shortestPart) continue;
    for (const [form, weight] of formsOf(vocabulary, part.slice(0, part.length - link.length)))
      add(found, form, weight);
  }
  return found;
}

/** Words that are spelt almost like a word that is in no row. */
function addTypos({ vocabulary, names }: VariantParts, term: string, variants: Variants): void {
  if (!isLatin(term) || term.length < (names.has(term) ? 4 : 5)) return;
  const allowed = term.length >= 8 ? 2 : 1;
  const swapped = `${term.charAt(1)}${term.charAt(0)}`;
  const near = [term.charAt(0), swapped].flatMap((begin) => vocabulary.between(begin, `${begin}\u{ffff}`));
  for (const most of [1, 2]) {
    if (most > allowed || variants.size > 0) return;
    for (const other of near) {
      if (variants.size < mostTypos && isWithinDistance(term, other, most)) {
        variants.set(other, most === 1 ? weights.oneTypo : weights.twoTypos);
      }
    }
  }
}
