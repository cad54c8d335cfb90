import { pushAll } from "../../text/lists.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import {
  anaphors,
  commonWords,
  relatives,
  type Sense,
  sourcePrepositions,
  targetPrepositions,
} from "../../text/words/lexicon.ts";
import { leads } from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isPersonName } from "./fits-name.ts";
import { isName, kindsOf, type Order, type OrderValue, placesOf } from "./order.ts";

/**
 * Whether each person that an act reaches by the owner's words stands where its verb has one: right behind
 * it, or right behind "to" or "with", alone or in one list, and no noun follows. Behind any other word
 * somebody is only spoken of.
 */
export function areRecipients(order: Order, clauses: readonly Clause[]): boolean {
  const kinds = kindsOf(order);
  return order.values.every((value) => {
    if (value.role !== "destination" || !isPerson(value)) return true;
    if (value.origin !== "words" && value.origin !== "contact") return true;
    const places = new Set(placesOf(value, order, kinds));
    return (
      clauses.some((clause) => isRecipient(places, clause, order)) ||
      (identifierOf(value.value) !== null && isTold(places, order.intent.typed))
    );
  });
}

function isPerson({ name, value }: OrderValue): boolean {
  const form = identifierOf(value)?.form;
  return isPersonName(name) || form === "address" || form === "account";
}

/** "Her address is …". */
function isTold(places: ReadonlySet<number>, words: readonly Word[]): boolean {
  return [...places].some(
    (at) => copulas.has(textAt(words, at - 1)) && addressNouns.has(textAt(words, at - 2)),
  );
}

const copulas: ReadonlySet<string> = new Set(["is", "ist"]);
const addressNouns: ReadonlySet<string> = new Set(
  "address email e-mail mail adresse account iban konto".split(" "),
);

function isRecipient(
  places: ReadonlySet<number>,
  clause: Clause,
  { act, intent: { typed: words } }: Order,
): boolean {
  const meant = clause.words.slice(clause.to - clause.from);
  if (refers(clause, words) && meant.some((word) => [...places].some((at) => words[at]?.text === word.text)))
    return true;
  const isIn = (list: readonly number[] = []): boolean => list.some((at) => places.has(at));
  const { direct, marked } = recipientLists(clause, words);
  const [first, second] = marked;
  if (isIn(direct) || (act === "pay" && marked.some(isIn))) return true;
  // "The reply to Mark to Sarah": nobody knows which of them is the recipient.
  const isOpen = second !== undefined && !isContentBetween(words, first?.at(-1) ?? 0, second[0] ?? 0);
  return !isOpen && isIn(first);
}

/** "Message them": those whom the words before it name. */
function refers({ from, to }: Clause, words: readonly Word[]): boolean {
  return words
    .slice(from, to)
    .some(
      ({ text }, order) =>
        anaphors.has(text) && (order === 0 || markers.has(textAt(words, from + order - 1))),
    );
}

/** What a message says begins between two places. */
function isContentBetween(words: readonly Word[], from: number, to: number): boolean {
  return words
    .slice(from + 1, to)
    .some(({ text, after }) => after === "comma" || sourcePrepositions.has(text) || relatives.has(text));
}

/** The lists of recipients of a clause: where their words stand. */
function recipientLists(
  { senses, at, from, to, words: placed }: Clause,
  words: readonly Word[],
): { readonly direct: readonly number[]; readonly marked: readonly (readonly number[])[] } {
  const lists: (readonly number[])[] = [];
  const isGiving = senses.some((sense) => directSenses.has(sense));
  const isShared = senses.some((sense) => sharedSenses.has(sense));
  let start = from;
  while (start < to && (to === at ? leads : particles).has(textAt(words, start))) start++;
  const direct = isGiving ? listFrom(words, start, { to, isDirect: true }) : [];
  for (let place = start; place < to; place++) {
    const marker = textAt(words, place - 1);
    const isMarked = markers.has(marker) || (isShared && sharers.has(marker));
    if (!isMarked || placed[place - from]?.slot !== "target") continue;
    const list = listFrom(words, place, { to, isDirect: false });
    if (list.length > 0) lists.push(list);
    place = list.at(-1) ?? place;
  }
  return { direct, marked: lists };
}

/**
 * "Bob (bob@work.example), Anna and Mark": one list of names, up to the first that only says whose
 * something is.
 */
function listFrom(
  words: readonly Word[],
  from: number,
  { to, isDirect }: { readonly to: number; readonly isDirect: boolean },
): readonly number[] {
  const list: number[] = [];
  let at = from;
  while (at < to) {
    const element = elementFrom(words, at, to);
    const last = element.at(-1);
    if (last === undefined || words[last]?.possessive === true) break;
    if (element.filter((place) => words[place]?.identifier?.form === "address").length > 1) break;
    const joins = joiners.has(textAt(words, last + 1));
    const next = joins ? last + 2 : last + 1;
    const isList = joins || (words[next]?.after === "comma" && next < to);
    if (!isList && !mayFollow(words[last + 1], isDirect)) break;
    pushAll(list, element);
    if (!isList) break;
    at = markers.has(textAt(words, next)) ? next + 1 : next;
  }
  return list;
}

/** The words of one name from a place on. */
function elementFrom(words: readonly Word[], from: number, to: number): readonly number[] {
  const element: number[] = [];
  for (let at = from; at < to; at++) {
    const word = words[at];
    if (word === undefined || (at > from && word.after !== "nothing") || !mayBePerson(word)) break;
    if (at > from && words[at - 1]?.possessive === true) break;
    element.push(at);
  }
  return element;
}

function mayBePerson(word: Word): boolean {
  const form = word.identifier?.form;
  return (
    !word.dated &&
    (word.bare || (isName(word) && (form === undefined || form === "address" || form === "account")))
  );
}

/** Whether a word may stand behind a recipient: none that makes another one of it, as in "Mark's lawyer". */
function mayFollow(word: Word | undefined, isDirect: boolean): boolean {
  return (
    word === undefined ||
    word.after !== "nothing" ||
    isDirect ||
    word.role !== "plain" ||
    word.identifier !== null ||
    [commonWords, targetPrepositions, sourcePrepositions, followers].some((set) => set.has(word.text))
  );
}

const textAt = (words: readonly Word[], at: number): string => words[at]?.text ?? "";
const directSenses: ReadonlySet<Sense> = new Set<Sense>([
  "send",
  "invite",
  "insert",
  "transfer",
  "pay",
  "share",
]);
const sharedSenses: ReadonlySet<Sense> = new Set<Sense>(["share", "create", "insert", "invite", "arrange"]);
const markers: ReadonlySet<string> = new Set("to an zu zum zur cc bcc".split(" "));
const sharers: ReadonlySet<string> = new Set(["with", "mit"]);
const particles: ReadonlySet<string> = new Set("also auch please bitte now jetzt back zurück".split(" "));
const joiners: ReadonlySet<string> = new Set(["and", "und", "&"]);
const followers: ReadonlySet<string> = new Set(
  "again back now today tomorrow asking saying telling titled called thanks danke heute morgen einen eine".split(
    " ",
  ),
);
