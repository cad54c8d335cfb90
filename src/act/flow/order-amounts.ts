import {
  commonWords,
  currencyWords,
  idNouns,
  numberedNouns,
  referenceNouns,
} from "../../text/words/lexicon.ts";
import * as said from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { textAt } from "./sentence-parts.ts";

/** "2 guests". */
export function isCounted(words: readonly Word[], at: number, nouns: ReadonlySet<string>): boolean {
  return words[at]?.identifier?.form === "number" && nouns.has(textAt(words, at + 1));
}

/** "For Mark", "for 12 tickets", "for May 2026", "invoice 4711". */
export function isPaidFor(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (isNumber(word))
    return isNumbered(words, at) || isCounted(words, at, said.purposes) || isYear(words, at);
  if (said.purposes.has(word.text) || (said.monthNames.has(word.text) && word.capital)) return true;
  const isFor = forWords.has(textAt(words, at - 1)) || words[at - 1]?.capital === true;
  return word.capital && !word.possessive && isFor;
}

/**
 * "For the concert tickets": what is paid for, in one or two words behind "for" and an article, up to the end
 * or to the next value. None of them says when.
 */
export function isInPurpose(words: readonly Word[], at: number): boolean {
  const article = [at, at - 1, at - 2].find((place) => articles.has(textAt(words, place)));
  if (article === undefined || !forWords.has(textAt(words, article - 1))) return false;
  const length = words.slice(article + 1).findIndex((word) => !isPurposeWord(word));
  const end = length === -1 ? words.length : article + 1 + length;
  const next = words[end];
  const isWhole = next === undefined || next.after !== "nothing" || forWords.has(next.text);
  return isWhole && end - article > 1 && end - article <= 3 && at < end;
}

function isPurposeWord({ role, text, identifier, dated, after }: Word): boolean {
  return (
    role === "plain" &&
    identifier === null &&
    !dated &&
    after === "nothing" &&
    /^[\p{L}-]+$/u.test(text) &&
    ![commonWords, articles, said.holdingWords, said.timeNouns].some((set) => set.has(text))
  );
}

const articles: ReadonlySet<string> = new Set(
  "the a an my our his her their der die das den dem meine meinen unsere".split(" "),
);
const forWords: ReadonlySet<string> = new Set(["for", "für", "to", "an"]);

export const isNumber = ({ identifier }: Word): boolean => identifier?.form === "number";

function isNumbered(words: readonly Word[], at: number): boolean {
  const before = textAt(words, at - 1);
  return [idNouns, referenceNouns, numberedNouns].some((nouns) => nouns.has(before));
}

function isYear(words: readonly Word[], at: number): boolean {
  return said.monthNames.has(textAt(words, at - 1)) && /^20\d\d$/.test(textAt(words, at));
}

/** Where the verb of a payment stands, and the words that name its payees. */
type PaymentPlaces = { readonly verb: number; readonly payees: ReadonlySet<number> };

/**
 * A number that says how much money: with a sign or a word of money, or bare right behind the verb or the
 * payee, or in a list right before "to" and the payee, where it counts nothing.
 */
export function isAmount(words: readonly Word[], at: number, { verb, payees }: PaymentPlaces): boolean {
  const word = words[at];
  const next = words[at + 1];
  if (word === undefined || !isNumber(word) || isYear(words, at)) return false;
  if (word.priced || [at - 1, at + 1].some((place) => currencyWords.has(textAt(words, place)))) return true;
  const before = articles.has(textAt(words, at - 1)) ? at - 2 : at - 1;
  const counts = next?.after === "nothing" && !commonWords.has(next.text) && !payees.has(at + 1);
  const isListed = word.after === "comma" || joints.has(textAt(words, at - 1));
  return !counts && (before === verb || payees.has(at - 1) || (isListed && payees.has(at + 2)));
}

const joints: ReadonlySet<string> = new Set(["and", "und"]);

/** The amounts of a payment, and of each where "50 to … and 500 to …" are several. */
export function amountsByPart(
  words: readonly Word[],
  inside: readonly number[],
  isOwn: (at: number) => boolean,
): readonly (readonly string[])[] {
  const parts: number[][] = [[]];
  for (const at of inside) {
    const isNext = words[at]?.after === "comma" || joints.has(textAt(words, at - 1));
    if (isNext && isOwn(at)) parts.push([]);
    parts.at(-1)?.push(at);
  }
  const hasAccount = (part: readonly number[]): boolean =>
    part.some((at) => words[at]?.identifier?.form === "account");
  const all = parts.length > 1 && parts.every(hasAccount) ? parts : [inside];
  return all.map((part) => part.filter(isOwn).map((at) => words[at]?.identifier?.value ?? ""));
}
