import type { ClauseWord } from "../../text/words/find-clauses.ts";
import { findNaming } from "../../text/words/find-words.ts";
import {
  currencyWords,
  idNouns,
  moneyNouns,
  numberedNouns,
  referenceNouns,
  unitNouns,
} from "../../text/words/lexicon.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isIdName, wordsOfName } from "./fits-name.ts";
import { fitsSlot, type TraceContext, type TracedArgument } from "./trace-context.ts";

/**
 * Whether a word may be a value of the call by its place: a number of a payment must be the amount of this
 * one, or stand beside the noun of its argument.
 */
export function mayCount(word: ClauseWord, { name, role }: TracedArgument, context: TraceContext): boolean {
  if (!context.pays || role !== "critical" || isIdName(name) || !isNumber(word)) return true;
  const isBeside = context.request.clauses.some(
    ({ words }) => words.includes(word) && isOwn(words, words.indexOf(word), name),
  );
  return isBeside || amountsPaid(context, name).includes(word);
}

/**
 * Whether a number belongs to a noun and is no amount: "invoice 4711", "order number 9000", "the reference
 * is 9000", "20 minutes"; but "the bill is 50".
 */
function isOfOther(words: readonly Word[], at: number, name: string): boolean {
  if (isOwn(words, at, name)) return false;
  const isTold = copulas.has(textAt(words, at - 1));
  const before = textAt(words, isTold ? at - 2 : at - 1);
  return (
    ([idNouns, referenceNouns, numberedNouns].some((nouns) => nouns.has(before)) &&
      !(isTold && moneyNouns.has(before))) ||
    unitNouns.has(textAt(words, at + 1))
  );
}

const copulas: ReadonlySet<string> = new Set(["is", "ist"]);

/**
 * The numbers of the request that are the amount of this payment: of several the one beside its
 * destination, with a currency, or right behind the verb.
 */
function amountsPaid(context: TraceContext, name: string): readonly Word[] {
  const parts = context.request.clauses.flatMap(({ words }) => splitParts(words));
  const found = parts.flatMap((words) => {
    const amounts = words.filter(
      (word, at) =>
        isNumber(word) &&
        fitsSlot(word, "critical", context) &&
        !isOfOther(words, at, name) &&
        !isOfWhole(words, at, name),
    );
    const isHere = context.destinations.some((one) => findNaming(words, one).length > 0);
    return amounts.length === 0
      ? []
      : [{ amounts, isHere, priced: amounts.filter((word) => isPriced(words, word)) }];
  });
  if (isOneValue(found.flatMap(({ amounts }) => amounts))) return found.flatMap(({ amounts }) => amounts);
  const here = found.some(({ isHere }) => isHere) ? found.filter(({ isHere }) => isHere) : found;
  if (here.length > 1) return [];
  const { amounts = [], priced = [] } = here[0] ?? {};
  const byPlace = [
    priced,
    amounts.filter(({ next }) => next),
    amounts.filter(({ slot }) => slot === "object"),
  ];
  const own = byPlace.find((some) => some.length > 0) ?? amounts;
  return isOneValue(own) ? own : [];
}

function isNumber({ identifier, role }: Word): boolean {
  return identifier?.form === "number" && role !== "content";
}

function isOneValue(words: readonly Word[]): boolean {
  return new Set(words.map(({ identifier }) => identifier?.value)).size === 1;
}

/** The parts of a clause between commas and words such as "and". */
function splitParts(words: readonly ClauseWord[]): readonly (readonly ClauseWord[])[] {
  const parts: ClauseWord[][] = [[]];
  for (const word of words) {
    if (word.after !== "nothing" || joiners.has(word.text)) parts.push([]);
    parts.at(-1)?.push(word);
  }
  return parts;
}

const joiners: ReadonlySet<string> = new Set("and und but aber then dann plus".split(" "));

/**
 * Whether the noun of the argument stands beside a number, also before "no." or "number". A noun for money
 * makes no number another one than the amount.
 */
function isOwn(words: readonly Word[], at: number, name: string): boolean {
  const parts = wordsOfName(name);
  const nouns = parts.slice(idNouns.has(parts.at(-1) ?? "") ? -2 : -1);
  const before = textAt(words, idNouns.has(textAt(words, at - 1)) ? at - 2 : at - 1);
  return nouns.some(
    (noun) =>
      (noun === before || noun === textAt(words, at + 1)) &&
      (referenceNouns.has(noun) || !(moneyNouns.has(noun) || currencyWords.has(noun))),
  );
}

/** "900" in "50 of the 900". */
function isOfWhole(words: readonly Word[], at: number, name: string): boolean {
  const of = words.slice(0, at).findLastIndex(({ text }) => text === "of" || text === "von");
  const isNear = of !== -1 && at - of <= 2;
  const part = currencyWords.has(textAt(words, of - 1)) ? of - 2 : of - 1;
  const before = words[part];
  return isNear && before !== undefined && isNumber(before) && !isOfOther(words, part, name);
}

function isPriced(words: readonly Word[], word: Word): boolean {
  const at = words.indexOf(word);
  return word.priced || currencyWords.has(textAt(words, at - 1)) || currencyWords.has(textAt(words, at + 1));
}

/** The word in a place, but for a text that is quoted. */
function textAt(words: readonly Word[], at: number): string {
  const word = words[at];
  return word === undefined || word.role === "content" ? "" : word.text;
}
