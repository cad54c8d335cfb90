import {
  commonWords,
  idNouns,
  moneyNouns,
  numberedNouns,
  referenceNouns,
} from "../../signal/intent/lexicon.ts";
import * as said from "../../signal/intent/order-words.ts";
import type { Word } from "../../signal/intent/tokens.ts";
import { textAt } from "./sentence-parts.ts";

/** "2 guests". */
export function isCounted(words: readonly Word[], at: number, nouns: ReadonlySet<string>): boolean {
  return words[at]?.identifier?.form === "number" && nouns.has(textAt(words, at + 1));
}

/** "For Mark", "for 12 tickets", "for May 2026", "invoice 4711"; an amount stands by itself. */
export function isPaidFor(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (isAmount(words, at)) return true;
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

/** A number that says how much money. */
export function isAmount(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return (
    word !== undefined &&
    isNumber(word) &&
    !isNumbered(words, at) &&
    !isYear(words, at) &&
    !isCounted(words, at, said.purposes)
  );
}

/** The amounts of a payment, and of each where "50 to … and 500 to …" are several. */
export function amountsByPart(
  words: readonly Word[],
  inside: readonly number[],
): readonly (readonly string[])[] {
  const parts: number[][] = [[]];
  for (const at of inside) {
    const isNext =
      words[at]?.after === "comma" || textAt(words, at - 1) === "and" || textAt(words, at - 1) === "und";
    if (isNext && isAmount(words, at)) parts.push([]);
    parts.at(-1)?.push(at);
  }
  const hasAccount = (part: readonly number[]): boolean =>
    part.some((at) => words[at]?.identifier?.form === "account");
  const all = parts.length > 1 && parts.every(hasAccount) ? parts : [inside];
  return all.map((part) =>
    part.filter((at) => isAmount(words, at)).map((at) => words[at]?.identifier?.value ?? ""),
  );
}

/** "My balance is 500": whether a sentence says an amount of money. */
export function statesAmount(sentence: readonly Word[]): boolean {
  return sentence.some((word, at) => isNumber(word) && !isReferred(sentence, at));
}

function isReferred(words: readonly Word[], at: number): boolean {
  if (!copulas.has(textAt(words, at - 1))) return isNumbered(words, at);
  return isNumbered(words, at - 1) && !moneyNouns.has(textAt(words, at - 2));
}

const copulas: ReadonlySet<string> = new Set(["is", "are", "ist", "sind"]);
