import type { Clause } from "../../signal/intent/find-clauses.ts";
import {
  contentNouns,
  credentialNouns,
  idNouns,
  moneyNouns,
  personNouns,
  referenceNouns,
  synonymsOf,
} from "../../signal/intent/lexicon.ts";
import * as said from "../../signal/intent/order-words.ts";
import type { Word } from "../../signal/intent/tokens.ts";
import { handedOn } from "./handed-on.ts";
import { books } from "./license-act.ts";
import { stem } from "./name-records.ts";
import { isName, kindsOf, namedPlaces, type Order } from "./order.ts";
import {
  amountsByPart,
  isAmount,
  isCounted,
  isInPurpose,
  isNumber,
  isPaidFor,
  statesAmount,
} from "./order-amounts.ts";
import { isDoubt, leadsToOrder } from "./order-lead.ts";
import { momentAt } from "./said-moments.ts";
import { isOwners, type Span, sentencesOf, textAt } from "./sentence-parts.ts";

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
};

/**
 * Whether all of the owner's words are understood, so that nothing in them can set a condition, a time or a
 * bound, name another thing, or take the order back: each sentence is an order of this act or of another, a
 * fact with a value, or a courtesy, and each word of it one of the act's own.
 */
export function isWhollyUnderstood(order: Order): boolean {
  const reading = read(order);
  const handed = handedOn(order.intent);
  return (
    !order.clauses.some((clause) => handed.includes(clause)) &&
    order.intent.signs.every((sign) => said.friendlySigns.has(sign)) &&
    sentencesOf(reading.words).every((sentence) => isSentence(sentence, reading))
  );
}

/**
 * Whether each word behind the verbs that ask for the act is understood; what else the owner says is free.
 */
export function isClauseUnderstood(order: Order): boolean {
  const reading = read(order);
  return order.clauses.every((clause) => isOwnClause(clause, reading));
}

function read(order: Order): Reading {
  const kinds = kindsOf(order);
  return { order, words: order.intent.typed, kinds, own: wordsFor(order), named: namedPlaces(order, kinds) };
}

function wordsFor({ act, tool }: Order): ReadonlySet<string> {
  if (act === "delete") return said.deletingWords;
  if (act === "credential") return new Set([...said.credentialWords, ...credentialNouns]);
  if (act !== "pay") return said.givingWords;
  if (books(tool)) return said.bookingWords;
  return new Set([...said.payingWords, ...said.commonCurrencies, ...moneyNouns, ...referenceNouns]);
}

function isSentence({ from, to }: Span, reading: Reading): boolean {
  const { words, order } = reading;
  const own = words.slice(from, to);
  // A text that is only shown.
  if (own.every(({ role }) => role === "content")) return true;
  if ([said.courtesies, said.headingWords].some((set) => own.every(({ text }) => set.has(text)))) return true;
  const clauses = order.intent.clauses.filter(({ at }) => at >= from && at < to);
  if (clauses.length === 0) return isFact(own, reading);
  if (isDoubt({ from, to }, clauses, words)) return false;
  return (
    clauses.every((clause) =>
      order.clauses.includes(clause) ? isOwnClause(clause, reading) : isOther(clause, reading),
    ) && isLead(own.filter((_, at) => !clauses.some((clause) => isOf(clause, from + at))))
  );
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
  const places = placesIn(clause);
  return (
    isJoined(clause, reading) &&
    places.every((at) => isOwnWord(at, clause, reading)) &&
    hasOwnPlace(clause, reading)
  );
}

function placesIn({ from, to }: Clause): readonly number[] {
  return Array.from({ length: to - from }, (_, order) => from + order);
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
  if (named.has(at)) return true;
  if (word.role !== "plain") return isText(words, at);
  return (
    said.fillers.has(word.text) ||
    own.has(word.text) ||
    kinds.has(word.text) ||
    kinds.has(stem(word.text)) ||
    isLeadOfNext(at, clause, reading) ||
    isDetail(words, at, reading)
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
function isDetail(words: readonly Word[], at: number, { order, kinds }: Reading): boolean {
  const { act, tool, sources } = order;
  if (act === "credential") return false;
  if (act === "pay")
    return books(tool)
      ? isTown(words, at) || isCounted(words, at, said.bookingWords)
      : isPaidFor(words, at) || isInPurpose(words, at);
  if (act !== "delete") return isElsewhere(words, at);
  const isEvent = synonymsOf("event").some((noun) => kinds.has(noun));
  return isEvent && momentAt(words, at, sources.today ?? anyDay) !== null;
}

/** Where only counts whether a word says a day, and not which. */
const anyDay = "2026-01-01";

/** "The River View in Lyon". */
function isTown(words: readonly Word[], at: number): boolean {
  return words[at]?.capital === true && inWords.has(textAt(words, at - 1));
}

const inWords: ReadonlySet<string> = new Set(["in", "im"]);

/**
 * "To Slack", "Bob's repository", "at /user/info": where somebody is let in, by a name that the call does
 * not have.
 */
function isElsewhere(words: readonly Word[], at: number): boolean {
  const [before, word, next] = [textAt(words, at - 1), words[at], words[at + 1]];
  if (word === undefined || !isName(word) || isNumber(word) || word.dated) return false;
  if (word.possessive) return next !== undefined && said.givingWords.has(next.text);
  const isSigned = word.role === "name" || /[/_.@]/.test(word.text);
  return (
    holders.has(before) || (isSigned && word.identifier?.form !== "address" && said.givingWords.has(before))
  );
}

const holders: ReadonlySet<string> = new Set("to into of repository channel group zum zur".split(" "));

/**
 * Whether what decides stands where it must: a thing to delete right at its verb, one amount beside it, and
 * a new password behind "to".
 */
function hasOwnPlace(clause: Clause, { words, named, order }: Reading): boolean {
  const inside = placesIn(clause);
  const first = inside.find((at) => named.has(at));
  if (order.act === "delete" && first !== undefined)
    return inside.every((at) => at > first || !awayWords.has(textAt(words, at)));
  if (order.act === "credential")
    return inside.every((at) => !named.has(at) || behindTo.has(textAt(words, at - 1)) || named.has(at - 1));
  if (order.act !== "pay" || books(order.tool)) return true;
  return amountsByPart(words, inside).every((amounts) => new Set(amounts).size <= 1);
}

const awayWords: ReadonlySet<string> = new Set("from in on out of aus von vom im".split(" "));
const behindTo: ReadonlySet<string> = new Set("to as into with auf zu in mit".split(" "));

/** "The reference is 9000.", "Her address is …": what has a value, said with words of the act. */
function isFact(sentence: readonly Word[], { kinds, order }: Reading): boolean {
  const isNoun = (text: string): boolean =>
    kinds.has(stem(text)) ||
    [moneyNouns, referenceNouns, idNouns, personNouns, credentialNouns].some((set) => set.has(text));
  return (
    sentence.filter(({ text }) => factVerbs.has(text)).length === 1 &&
    sentence.every(
      (word) =>
        factVerbs.has(word.text) ||
        factWords.has(word.text) ||
        isNoun(word.text) ||
        isName(word) ||
        said.commonCurrencies.has(word.text),
    ) &&
    !(order.act === "pay" && statesAmount(sentence) && saysAmount(order))
  );
}

const factVerbs: ReadonlySet<string> = new Set(["is", "are", "ist", "sind"]);
const factWords: ReadonlySet<string> = new Set(
  "the my our his her its new of for der die das mein meine für".split(" "),
);

function saysAmount({ clauses, intent }: Order): boolean {
  return clauses.some((clause) => placesIn(clause).some((at) => isAmount(intent.typed, at)));
}

/** Another request, which has nothing to do with the act: it names nothing of it, and points to nothing. */
function isOther(clause: Clause, { words, named, kinds, order }: Reading): boolean {
  const { verb, senses } = clause;
  const inside = placesIn(clause);
  if (senses.length === 0 && verb !== "tell" && !said.otherReadings.has(verb)) return false;
  if (isOwners(clause, words) || senses.includes("confirm")) return false;
  const asked =
    senses.length === 0 ? inside.find((place) => said.askedFor.has(textAt(words, place))) : undefined;
  return inside.every((place) => {
    const word = words[place];
    if (word === undefined || named.has(place) || said.holdingWords.has(word.text)) return false;
    if (asked !== undefined && place >= asked) return true;
    if (word.text === "this" && contentNouns.has(textAt(words, place + 1))) return true;
    return (
      word.role !== "plain" ||
      isName(word) ||
      // "Add it to the cart and check out the cart": an act without values is about what the other leaves.
      (order.values.length === 0 && kinds.has(word.text)) ||
      [said.fillers, said.otherWords, contentNouns].some((set) => set.has(word.text))
    );
  });
}
