import { sentenceStarts, type VerbStart, verbAt } from "./find-verbs.ts";
import {
  anaphors,
  germanWords,
  quantities,
  relatives,
  type Sense,
  sensesOf,
  sourcePrepositions,
  targetPrepositions,
} from "./lexicon.ts";
import { isReported } from "./reported.ts";
import type { Word } from "./tokens.ts";
import { isWithheld, lastRetraction } from "./withheld.ts";

/**
 * The role of a word in its clause: what is acted on, where it goes or with whom, where it comes from, or a
 * remark about another word.
 */
export type Slot = "object" | "target" | "source" | "remark";
/**
 * A word with its role. `next` is true right behind the verb, where English has the person: "send Bob a
 * note".
 */
export type ClauseWord = Word & { readonly slot: Slot; readonly next: boolean };

/** A verb of the owner with the words that belong to it. */
export type Clause = {
  readonly verb: string;
  /** What the verb asks for; empty where it only asks for knowledge. */
  readonly senses: readonly Sense[];
  readonly words: readonly ClauseWord[];
  /** What stands before the verb in its sentence: "it" and "the file" are there. */
  readonly earlier: readonly Word[];
  /** How many things the clause names: a number, all, or null where it does not say. */
  readonly count: number | "all" | null;
  /**
   * Where its verb stands among the words, and which words around it belong to it: up to, and without,
   * `to`.
   */
  readonly at: number;
  readonly from: number;
  readonly to: number;
};

type FoundClauses = {
  readonly clauses: readonly Clause[];
  readonly forbidden: readonly Sense[];
  /** The sentences that ask for nothing. */
  readonly statements: readonly (readonly Word[])[];
};

/**
 * Finds the clauses of the owner's words, what these forbid, and what they only tell. Each word is looked at
 * a bounded number of times, however long its sentence is.
 */
export function findClauses(words: readonly Word[]): FoundClauses {
  const begins = sentenceStarts(words);
  const beginOf = (at: number): number => begins[at] ?? 0;
  const starts = begins.flatMap((begin, at) => verbAt(words, at, begin) ?? []);
  const takenBack = lastRetraction(words);
  const german = words.filter(({ text }) => germanWords.has(text)).length > 1;
  const clauses: Clause[] = [];
  const forbidden: Sense[] = [];
  // The clause before, or what its sentence says before its first verb: "Anna asked me to invite her".
  let before: readonly ClauseWord[] = [];
  for (const [order, start] of starts.entries()) {
    const begin = beginOf(start.at);
    if (start.isFar) {
      for (const sense of sensesOf(words[start.at]?.text ?? "")) forbidden.push(sense);
      continue;
    }
    if (order === 0 || begin > (starts[order - 1]?.at ?? -1))
      before = placeWords(words.slice(begin, start.at), false);
    const end = starts[order + 1]?.from ?? words.length;
    const clause = clauseOf(words, start, { end, begin, before, german });
    before = clause.words;
    if (start.negated || clause.words.some(takesBack)) for (const each of clause.senses) forbidden.push(each);
    else if (
      !isReported(words, start.at) &&
      (clause.senses.length === 0 || (start.at > takenBack && !isWithheld(words, start.at, clause.senses)))
    )
      clauses.push(clause);
  }
  const asking = new Set(starts.map(({ at }) => beginOf(at)));
  return { clauses, forbidden, statements: statementsIn(words, asking) };
}

/** "Send it not to Bob", "schick das nicht": a negation behind the verb. */
function takesBack({ text, role, slot }: ClauseWord): boolean {
  return role === "plain" && slot !== "remark" && lateNegations.has(text);
}

const lateNegations: ReadonlySet<string> = new Set(
  "not dont never nothing nix nowt nobody none nicht nie niemals nichts niemand niemandem kein keine keinen".split(
    " ",
  ),
);

/** The sentences in which no request begins. */
function statementsIn(words: readonly Word[], asking: ReadonlySet<number>): FoundClauses["statements"] {
  const sentences: { readonly begin: number; readonly said: Word[] }[] = [];
  for (const [at, word] of words.entries()) {
    if (at === 0 || word.after === "sentence") sentences.push({ begin: at, said: [] });
    sentences.at(-1)?.said.push(word);
  }
  return sentences.flatMap(({ begin, said }) => (asking.has(begin) || said[0]?.asked === true ? [] : [said]));
}

type ClauseParts = {
  /** Where the next verb's clause begins. */
  readonly end: number;
  /** Where its sentence begins. */
  readonly begin: number;
  readonly before: readonly ClauseWord[];
  /** Whether the words are German. */
  readonly german: boolean;
};

function clauseOf(
  words: readonly Word[],
  { at, last, from }: VerbStart,
  { end, begin, before, german }: ClauseParts,
): Clause {
  const verb = words[at]?.text ?? "";
  const own = last ? words.slice(from, at) : untilSentenceEnd(words.slice(at + 1, end));
  const placed = [
    ...placeWords(own, german),
    ...placeWords(remarksBehind(words.slice(at + 1 + own.length, end)), german),
  ];
  return {
    verb,
    // "Tell me", "send me": to the owner, so that nothing goes to others.
    senses: owners.has(placed[0]?.text ?? "") ? [] : sensesOf(verb, own[0]?.text),
    words: [...placed, ...meant(placed, before)],
    earlier: words.slice(begin, last ? from : at),
    count: countOf(placed),
    at,
    from: last ? from : at + 1,
    to: last ? at : at + 1 + own.length,
  };
}

/**
 * The sentences right behind a request that only say more about it: "Her address is …", "The event should
 * have …".
 */
function remarksBehind(words: readonly Word[]): readonly Word[] {
  const taken: Word[] = [];
  let sentence: Word[] = [];
  for (const [at, word] of words.entries()) {
    sentence.push(word);
    const next = words[at + 1];
    if (next !== undefined && next.after !== "sentence") continue;
    const says = sentence.slice(0, 5).some(({ text, role }) => role === "plain" && copulas.has(text));
    if (!says || word.asked) break;
    for (const each of sentence) taken.push(each);
    sentence = [];
  }
  return taken;
}

const copulas: ReadonlySet<string> = new Set(
  "is are should must has have ist sind soll sollte hat heißt".split(" "),
);

function untilSentenceEnd(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(({ after, role }) => after === "sentence" && role !== "content");
  return end === -1 ? words : words.slice(0, end);
}

const owners: ReadonlySet<string> = new Set(["me", "us", "mir", "uns"]);

function placeWords(words: readonly Word[], german: boolean): readonly ClauseWord[] {
  let slot: Slot = "object";
  let next = true;
  // "What I wrote to Bob": there "to" belongs to the remark.
  let gives = false;
  return words.map((word, at): ClauseWord => {
    if (word.role === "plain") {
      if (word.after === "comma" && slot === "remark") slot = "object";
      if (relatives.has(word.text) && !isDemonstrative(words, at)) slot = "remark";
      else if (sourcePrepositions.has(word.text) || isPartOfAll(words, at))
        slot = slot === "remark" ? slot : "source";
      else if (isTarget(word.text, german)) {
        slot = slot === "remark" && (word.text !== "to" || gives) ? slot : "target";
        gives = false;
      } else if (slot === "remark") gives = givingWords.has(word.text) || (gives && !owners.has(word.text));
      if (isPreposition(word.text) || isTarget(word.text, german)) next = false;
    }
    const placed = { ...word, slot, next: next && slot === "object" };
    if (next && !joiners.has(word.text) && word.identifier === null && articles.has(word.text)) next = false;
    return placed;
  });
}

/** "On that day": what stands behind a preposition is no relative clause. */
function isDemonstrative(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.text ?? "";
  return words[at]?.text === "that" && (targetPrepositions.has(before) || sourcePrepositions.has(before));
}

/** Verbs of what was given to somebody. */
const givingWords: ReadonlySet<string> = new Set(
  "wrote written sent emailed mailed forwarded replied answered gave given paid transferred posted shared said told texted messaged promised showed".split(
    " ",
  ),
);
const joiners: ReadonlySet<string> = new Set(["and", "und", "also", "auch", "again"]);
const articles: ReadonlySet<string> = new Set(
  "a an the this that it ein eine einen das die der den".split(" "),
);

function isPreposition(text: string): boolean {
  return sourcePrepositions.has(text) || relatives.has(text);
}

/** "All members in X" and "the same members as in X": X is where they come from. */
function isPartOfAll(words: readonly Word[], at: number): boolean {
  const isPart = words[at]?.text === "in" || words[at]?.text === "of";
  return (
    isPart &&
    words.slice(Math.max(0, at - 2), at).some(({ text, role }) => role === "plain" && wholes.has(text))
  );
}

const wholes: ReadonlySet<string> = new Set([
  "all",
  "same",
  "every",
  "each",
  "alle",
  "gleichen",
  "dieselben",
]);

function isTarget(text: string, german: boolean): boolean {
  return targetPrepositions.has(text) || (german && text === "an");
}

/**
 * The names of the clause before that "them" or "her" stands for: what was acted on, else where it went. An
 * address of a page is nobody.
 */
function meant(placed: readonly ClauseWord[], before: readonly ClauseWord[]): readonly ClauseWord[] {
  const stands = placed.some(
    ({ text, role, slot, next }) => role === "plain" && anaphors.has(text) && (next || slot === "target"),
  );
  if (!stands) return [];
  const persons = before.filter(({ identifier, slot }) => identifier?.form !== "url" && slot !== "remark");
  const isNamed = ({ capital, role, identifier, slot }: ClauseWord): boolean =>
    slot === "object" && (capital || role === "name" || identifier !== null);
  const meantSlots: readonly Slot[] = persons.some(isNamed) ? ["object"] : ["object", "target", "source"];
  return persons.flatMap((word) =>
    meantSlots.includes(word.slot) ? [{ ...word, slot: "target", next: false } as const] : [],
  );
}

function countOf(words: readonly ClauseWord[]): Clause["count"] {
  for (const { text, role, slot, identifier } of words) {
    if (role !== "plain" || slot !== "object") continue;
    if (identifier?.form === "number") return Number(identifier.value);
    const known = quantities.get(text);
    if (known !== undefined && known !== 1) return known;
  }
  return words.some(({ text, slot }) => slot === "object" && quantities.get(text) === 1) ? 1 : null;
}
