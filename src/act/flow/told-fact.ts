import { identifierOf } from "../../text/words/identifiers.ts";
import {
  contentNouns,
  credentialNouns,
  idNouns,
  moneyNouns,
  personNouns,
  referenceNouns,
} from "../../text/words/lexicon.ts";
import { commonCurrencies } from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { stem } from "./name-records.ts";
import { isName, type Order } from "./order.ts";
import { isNumber } from "./order-amounts.ts";
import { accountsIn, accountValue } from "./said-accounts.ts";

type FactParts = {
  readonly order: Order;
  /** The nouns for what the act is about. */
  readonly kinds: ReadonlySet<string>;
};

/** "The reference is 9000.", "Her address is …": what has a value, said with words of the act. */
export function isFact(sentence: readonly Word[], { kinds, order }: FactParts): boolean {
  const isNoun = (text: string): boolean => kinds.has(stem(text)) || nouns.some((set) => set.has(text));
  return (
    sentence.filter(({ text }) => factVerbs.has(text)).length === 1 &&
    // "The new account is …": another one than the order's.
    !sentence.some(({ identifier }) => isOfOther(identifier, order)) &&
    accountsIn(sentence).every((account) =>
      order.values.some(({ value }) => accountValue(value) === account),
    ) &&
    sentence.every(
      (word) =>
        word.role !== "plain" ||
        factVerbs.has(word.text) ||
        factWords.has(word.text) ||
        isNoun(word.text) ||
        isName(word) ||
        commonCurrencies.has(word.text),
    )
  );
}

function isOfOther(identifier: Word["identifier"], { values }: Order): boolean {
  if (identifier?.form !== "address") return false;
  return !values.some(({ value }) => identifierOf(value)?.value === identifier.value);
}

/** "The bill is 500": nobody knows whether it is the amount. */
export function saysSum(sentence: readonly Word[]): boolean {
  return sentence.some(({ text }) => moneyNouns.has(text)) && sentence.some(isNumber);
}

const nouns: readonly ReadonlySet<string>[] = [
  moneyNouns,
  referenceNouns,
  idNouns,
  personNouns,
  credentialNouns,
  contentNouns,
];
const factVerbs: ReadonlySet<string> = new Set(["is", "are", "be", "ist", "sind"]);
const factWords: ReadonlySet<string> = new Set(
  "the my our his her its new of for should der die das mein meine für".split(" "),
);
