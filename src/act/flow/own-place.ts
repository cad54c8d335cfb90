import type { Clause } from "../../text/words/find-clauses.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import { idNouns, rightWords, sourcePrepositions, targetPrepositions } from "../../text/words/lexicon.ts";
import * as said from "../../text/words/order-words.ts";
import { isIdName, wordsOfName } from "./fits-name.ts";
import { books } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { type Order, type OrderValue, placesOf } from "./order.ts";
import { amountsByPart, isAmount, isNumber } from "./order-amounts.ts";
import { placesIn, textAt } from "./sentence-parts.ts";

/** An order with the nouns for what it is about, and where the values of its call are named. */
type PlaceParts = {
  readonly order: Order;
  readonly kinds: ReadonlySet<string>;
  readonly named: ReadonlySet<number>;
};

/**
 * Whether what decides stands where its clause has it: a thing that is deleted or shared as the object of the
 * verb itself, a place that is booked where a way leads to, an amount as an amount, and a new password behind
 * "to".
 */
export function hasOwnPlace(clause: Clause, parts: PlaceParts): boolean {
  const { act, tool, intent } = parts.order;
  const { typed: words } = intent;
  if (act === "credential")
    return placesIn(clause).every(
      (at) => !parts.named.has(at) || behindTo.has(textAt(words, at - 1)) || parts.named.has(at - 1),
    );
  if (act === "pay" && !books(tool)) return isPaid(clause, parts);
  return parts.order.values.every((value) => {
    const places = placesOf(value, parts.order, parts.kinds).filter(
      (at) => at >= clause.from && at < clause.to,
    );
    const markers = places.map((at) => markerOf(at, clause, parts));
    if (act === "pay")
      return (
        value.role !== "destination" ||
        markers.every((marker) => marker === "" || towards.has(marker) || isRented(marker, clause))
      );
    if (act === "delete") return markers.every((marker) => marker === "");
    return !isThing(value) || !tool.senses.has("share") || markers.every((marker) => marker === "");
  });
}

/** What is no person and no right. */
function isThing({ name, value, role }: OrderValue): boolean {
  return role === "critical" && !rightWords.has(value) && (isIdName(name) || identifierOf(value) !== null);
}

/** "Rent a car from Swift Wheels". */
function isRented(marker: string, { verb }: Clause): boolean {
  return awayWords.has(marker) && rentingVerbs.has(verb);
}

/** The preposition before a word with its list, its nouns and articles; empty where it is an object. */
function markerOf(at: number, { from }: Clause, { order, kinds, named }: PlaceParts): string {
  const { typed: words } = order.intent;
  for (let before = at - 1; before >= from; before--) {
    const text = textAt(words, before);
    if (prepositions.some((set) => set.has(text))) return text;
    const isOfGroup =
      [joiners, articles, kinds, idNouns].some((set) => set.has(text)) || kinds.has(stem(text));
    if (!named.has(before) && !isOfGroup) break;
  }
  return "";
}

/** Whether a clause has one amount for each payee, and its verb hands on money and no thing. */
function isPaid(clause: Clause, parts: PlaceParts): boolean {
  const { typed: words } = parts.order.intent;
  const inside = placesIn(clause);
  return (
    amountsByPart(words, inside, (at) => isAmountIn(at, clause, parts)).every(
      (amounts) => new Set(amounts).size <= 1,
    ) &&
    (!handingVerbs.has(clause.verb) || inside.every((at) => isMoney(at, clause, parts)))
  );
}

/** Whether a number is an amount of the payment that a clause asks for. */
export function isAmountIn(at: number, { at: verb }: Clause, { order, named }: PlaceParts): boolean {
  const { typed: words } = order.intent;
  const payees = new Set([...named].filter((place) => !words.slice(place, place + 1).some(isNumber)));
  return isAmount(words, at, { verb, payees });
}

/**
 * "Send Mark a bill of 50": the object of a verb that hands on is the amount, or the bill is what is sent.
 */
function isMoney(at: number, clause: Clause, { order, named }: PlaceParts): boolean {
  const word = clause.words[at - clause.from];
  return (
    word === undefined ||
    word.slot !== "object" ||
    word.role !== "plain" ||
    isNumber(word) ||
    [said.fillers, said.commonCurrencies, backs].some((set) => set.has(word.text)) ||
    (named.has(at) && order.intent.typed[at]?.possessive !== true)
  );
}

/**
 * Whether each number that a payment takes from the words is an amount there, or stands beside the noun of
 * its argument.
 */
export function saysAmounts(parts: PlaceParts): boolean {
  const { typed: words } = parts.order.intent;
  return parts.order.values.every(({ name, value, role, origin }) => {
    const number = identifierOf(value);
    if (origin !== "words" || role !== "critical" || isIdName(name) || number?.form !== "number") return true;
    const nouns = wordsOfName(name);
    return parts.order.clauses.some((clause) =>
      placesIn(clause).some(
        (at) =>
          words[at]?.identifier?.value === number.value &&
          (isAmountIn(at, clause, parts) || nouns.includes(textAt(words, at - 1))),
      ),
    );
  });
}

const handingVerbs: ReadonlySet<string> = new Set(
  "send give transfer wire refund reimburse repay schick schicke sende gib überweise überweisen".split(" "),
);
const rentingVerbs: ReadonlySet<string> = new Set("rent hire miete mieten".split(" "));
const backs: ReadonlySet<string> = new Set(["back", "zurück"]);
const prepositions: readonly ReadonlySet<string>[] = [
  sourcePrepositions,
  targetPrepositions,
  new Set(["of", "an", "am", "im", "bei"]),
];
const towards: ReadonlySet<string> = new Set("at in to into bei im in nach zum zur".split(" "));
const awayWords: ReadonlySet<string> = new Set(["from", "von"]);
const behindTo: ReadonlySet<string> = new Set("to as into with auf zu in mit".split(" "));
const joiners: ReadonlySet<string> = new Set(["and", "und", "&"]);
const articles: ReadonlySet<string> = new Set("the my our a an der die das den dem ein eine".split(" "));
