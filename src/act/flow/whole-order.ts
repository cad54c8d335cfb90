import type { Clause } from "../../text/words/find-clauses.ts";
import {
  contentNouns,
  credentialNouns,
  moneyNouns,
  referenceNouns,
  synonymsOf,
} from "../../text/words/lexicon.ts";
import * as said from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isBeside, isFreeWord, isTimed } from "./free-words.ts";
import { handedOn } from "./handed-on.ts";
import { books } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { isName, kindsOf, namedPlaces, type Order } from "./order.ts";
import { isCounted, isInPurpose, isPaidFor } from "./order-amounts.ts";
import { isDoubt, leadsToOrder } from "./order-lead.ts";
import { hasOwnPlace, isAmountIn, saysAmounts } from "./own-place.ts";
import { momentAt } from "./said-moments.ts";
import { isOwners, placesIn, type Span, sentencesOf, textAt } from "./sentence-parts.ts";
import { isFact, saysSum } from "./told-fact.ts";

/** An order as its words are read one by one. */
type Reading = {
  readonly order: Order;
  readonly words: readonly Word[];
  /** The nouns for what the act is about. */
  readonly kinds: ReadonlySet<string>;
  /** What an order of this kind may say besides. */
  readonly own: ReadonlySet<string>;
  /** Where the values of the call are named. */
  readonly named: ReadonlySet<number>;
  /** Whether the act says something to others: its own clause has words that are free. */
  readonly speaks: boolean;
};

/**
 * Whether all of the owner's words are understood, so that nothing in them can set a condition, a time or a
 * bound, name another thing, take the order back or show it as words of others: each sentence is an order of
 * this act or of another, a fact with a value, or a courtesy, and each word of it one of the act's own. What
 * a message says is free.
 */
export function isWhollyUnderstood(order: Order): boolean {
  const reading = read(order);
  const { words, speaks } = reading;
  const handed = handedOn(order.intent);
  const sentences = sentencesOf(words);
  return (
    // What is set apart is an aside, a heading or a text that is shown.
    !order.clauses.some((clause) => handed.includes(clause) || words[clause.at]?.apart === true) &&
    order.intent.signs.every((sign) =>
      speaks ? !said.refusingSigns.has(sign) : said.friendlySigns.has(sign),
    ) &&
    (order.act !== "pay" || books(order.tool) || saysAmounts(reading)) &&
    sentences.every(
      (sentence, at) => isSentence(sentence, reading) || isTold(sentence, sentences[at - 1], reading),
    )
  );
}

function read(order: Order): Reading {
  const kinds = kindsOf(order);
  return {
    order,
    words: order.intent.typed,
    kinds,
    own: wordsFor(order),
    named: namedPlaces(order, kinds),
    speaks: order.act === "send" && !order.tool.senses.has("share"),
  };
}

function wordsFor({ act, tool }: Order): ReadonlySet<string> {
  if (act === "delete") return said.deletingWords;
  if (act === "credential") return new Set([...said.credentialWords, ...credentialNouns]);
  if (act !== "pay") return said.givingWords;
  if (books(tool)) return said.bookingWords;
  return new Set([...said.payingWords, ...said.commonCurrencies, ...moneyNouns, ...referenceNouns]);
}

/** "Mail Mark: dinner is at 8": behind the colon stands what the message says. */
function isTold({ from }: Span, before: Span | undefined, { words, order, speaks }: Reading): boolean {
  return (
    speaks &&
    words[from]?.announced === true &&
    before !== undefined &&
    order.clauses.some(({ at }) => at >= before.from && at < before.to)
  );
}

function isSentence({ from, to }: Span, reading: Reading): boolean {
  const { words, order } = reading;
  const own = words.slice(from, to);
  // A text that is only shown.
  if (own.every(({ role }) => role === "content")) return true;
  if ([said.courtesies, said.headingWords].some((set) => own.every(({ text }) => set.has(text)))) return true;
  const clauses = order.intent.clauses.filter(({ at }) => at >= from && at < to);
  if (clauses.length === 0) return isFact(own, reading) && !(order.act === "pay" && saysSum(own));
  if (isDoubt({ from, to }, clauses, words)) return false;
  const isOwn = (clause: Clause): boolean => order.clauses.includes(clause);
  const first = clauses.find(isOwn)?.at;
  // "Delete file 13. Cancel it": what only points back is no second order.
  const isSecond = (clause: Clause): boolean =>
    clause !== order.clauses[0] && !placesIn(clause).some((at) => isNamed(at, reading));
  return (
    clauses.every((clause) =>
      isOwn(clause)
        ? isOfAnother(clause, reading) || (!isSecond(clause) && isOwnClause(clause, reading))
        : reading.speaks && first !== undefined
          ? isBeside(clause, first, words)
          : isOther(clause, reading),
    ) && isLead(own.filter((_, at) => !clauses.some((clause) => isOf(clause, from + at))))
  );
}

/** "Delete plan.txt" beside "delete report.pdf": the same act on another thing, and nothing else. */
function isOfAnother(clause: Clause, { words, named, kinds, order }: Reading): boolean {
  const inside = placesIn(clause);
  const isThing = (at: number): boolean => words.slice(at, at + 1).some(isName);
  return (
    order.act === "delete" &&
    !inside.some((at) => named.has(at)) &&
    inside.some(isThing) &&
    !isOwners(clause, words) &&
    inside.every((at) => {
      const text = textAt(words, at);
      return isThing(at) || said.fillers.has(text) || kinds.has(text) || kinds.has(stem(text));
    })
  );
}

function isNamed(at: number, { words, named }: Reading): boolean {
  return named.has(at) || words.slice(at, at + 1).some(isName);
}

function isOf({ at, from, to }: Clause, place: number): boolean {
  return place === at || (place >= from && place < to);
}

/** "Could you please": the words of a sentence that belong to no verb. */
function isLead(words: readonly Word[]): boolean {
  const reminds = words.some(({ text }) => said.reminders.has(text));
  return (
    leadsToOrder(words.map(({ text }) => text)) &&
    words.every(
      ({ text, role, identifier }, at) =>
        role === "plain" &&
        (said.leads.has(text) ||
          (reminds && said.remindings.has(text)) ||
          (at === 0 && identifier?.form === "number")),
    )
  );
}

function isOwnClause(clause: Clause, reading: Reading): boolean {
  const { words, speaks } = reading;
  const places = placesIn(clause);
  if (!isJoined(clause, reading) || isOwners(clause, words)) return false;
  if (speaks) return places.every((at) => isFreeWord(words, at) && !isTimed(at, reading));
  return places.every((at) => isOwnWord(at, clause, reading)) && hasOwnPlace(clause, reading);
}

/** "Create a task to pay": behind "to" an act is what another one is for. */
function isJoined({ at, from, to }: Clause, { words, order }: Reading): boolean {
  if (to === at) return true;
  const before = order.intent.clauses.some(
    (other) => other.at < at && other.to >= from - 1 && other.to > other.from,
  );
  return !before || words[at - 1]?.text !== "to";
}

/** Whether a word is one that an order of this act may have in its place. */
function isOwnWord(at: number, clause: Clause, reading: Reading): boolean {
  const { words, kinds, own, named } = reading;
  const word = words[at];
  if (word === undefined) return false;
  if (named.has(at)) return !word.possessive;
  if (word.role !== "plain") return isText(words, at);
  return (
    said.fillers.has(word.text) ||
    own.has(word.text) ||
    kinds.has(word.text) ||
    kinds.has(stem(word.text)) ||
    (namings.has(word.text) && named.has(at + 1)) ||
    isLeadOfNext(at, clause, reading) ||
    isDetail(at, clause, reading)
  );
}

/** "…, you can find": what stands right before the next verb, or before all words of a verb at the end. */
function isLeadOfNext(at: number, { at: verb, from, to }: Clause, { words, order }: Reading): boolean {
  const isAt = order.intent.clauses.some((next) => next.at === to);
  const lead = to === verb ? words.slice(from, at + 1) : words.slice(at, to);
  return isAt && lead.every(({ text, role }) => role === "plain" && said.leads.has(text));
}

/** "With the note 'for May'": a text that the order says to write. */
function isText(words: readonly Word[], at: number): boolean {
  const before = words.slice(0, at).findLast(({ role }) => role === "plain")?.text ?? "";
  return contentNouns.has(before) || referenceNouns.has(before) || namings.has(before);
}

const namings: ReadonlySet<string> = new Set(["titled", "named", "called", "namens"]);

/** What orders of a kind say besides their values: what is paid for, in which town, when an event is. */
function isDetail(at: number, clause: Clause, reading: Reading): boolean {
  const { words, order, kinds } = reading;
  const { act, tool, sources } = order;
  if (act === "pay")
    return books(tool)
      ? isTown(words, at) || isCounted(words, at, said.bookingWords)
      : isAmountIn(at, clause, reading) || isPaidFor(words, at) || isInPurpose(words, at);
  if (act !== "delete" || !synonymsOf("event").some((noun) => kinds.has(noun))) return false;
  const isMoment = (place: number): boolean => momentAt(words, place, sources.today ?? anyDay) !== null;
  return isMoment(at) || (momentLeads.has(textAt(words, at)) && isMoment(at + 1));
}

const momentLeads: ReadonlySet<string> = new Set("on at am um".split(" "));

/** Where only counts whether a word says a day, and not which. */
const anyDay = "2026-01-01";

/** "The River View in Lyon". */
function isTown(words: readonly Word[], at: number): boolean {
  return words[at]?.capital === true && inWords.has(textAt(words, at - 1));
}

const inWords: ReadonlySet<string> = new Set(["in", "im"]);

/**
 * Another request, which has nothing to do with the act: it names its own thing, nothing of the act, and
 * points to nothing.
 */
function isOther(clause: Clause, reading: Reading): boolean {
  const { words, named, kinds, order } = reading;
  const { verb, senses } = clause;
  const inside = placesIn(clause);
  if (senses.length === 0 && verb !== "tell" && !said.otherReadings.has(verb)) return false;
  if (isOwners(clause, words) || senses.includes("confirm")) return false;
  const asked =
    senses.length === 0 ? inside.find((place) => said.askedFor.has(textAt(words, place))) : undefined;
  // "Add it to the cart and check out the cart": an act without values is about what the other leaves.
  const isOfCart = (place: number): boolean => order.values.length === 0 && kinds.has(textAt(words, place));
  const isOwnThing = (place: number): boolean =>
    isOfCart(place) || words.slice(place, place + 1).some((word) => word.role !== "plain" || isName(word));
  return (
    (senses.length === 0 || inside.some(isOwnThing)) &&
    inside.every((place) => {
      const text = textAt(words, place);
      if (named.has(place) || said.holdingWords.has(text)) return false;
      return (
        (asked !== undefined && place >= asked) ||
        isOwnThing(place) ||
        isLeadOfNext(place, clause, reading) ||
        [said.fillers, said.otherWords].some((set) => set.has(text))
      );
    })
  );
}
