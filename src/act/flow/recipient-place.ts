import type { FlowOrigin } from "../../signal/facts.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { identifierOf } from "../../text/words/identifiers.ts";
import { anaphors } from "../../text/words/lexicon.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isPersonName } from "./fits-name.ts";
import { markers } from "./name-list.ts";
import { kindsOf, type Order, type OrderValue, placesOf } from "./order.ts";
import { isPlaceInContent, recipientLists } from "./recipient-lists.ts";
import { textAt } from "./sentence-parts.ts";

/**
 * Whether each person that an act reaches by the owner's words stands where its verb has one: right behind
 * it, or right behind "to" or "with", alone or in one list, and no noun follows. Behind any other word
 * somebody is only spoken of.
 */
export function areRecipients(order: Order, clauses: readonly Clause[]): boolean {
  const kinds = kindsOf(order);
  return order.values.every((value) => {
    if (value.role !== "destination" || !fromWords.has(value.origin)) return true;
    const places = new Set(placesOf(value, order, kinds));
    if (!isPerson(value)) return order.act !== "send" || isPlace(places, clauses, order);
    return (
      clauses.some((clause) => isRecipient(places, clause, order)) ||
      (identifierOf(value.value) !== null && isTold(places, clauses, order))
    );
  });
}

const fromWords: ReadonlySet<FlowOrigin> = new Set<FlowOrigin>(["words", "contact"]);

/** Whether a channel, or another place, stands in a request where it goes, and not in what is said there. */
function isPlace(places: ReadonlySet<number>, clauses: readonly Clause[], { intent }: Order): boolean {
  return clauses.some((clause) =>
    [...places].some(
      (at) => at >= clause.from && at < clause.to && !isPlaceInContent(clause, intent.typed, at),
    ),
  );
}

function isPerson({ name, value }: OrderValue): boolean {
  const form = identifierOf(value)?.form;
  return isPersonName(name) || form === "address" || form === "account";
}

/** "Her address is …", and not somebody else's. */
function isTold(
  places: ReadonlySet<number>,
  clauses: readonly Clause[],
  { intent: { typed: words } }: Order,
): boolean {
  const isOfRecipient = (at: number): boolean =>
    owners.has(textAt(words, at)) ||
    clauses.some((clause) => {
      const { direct, marked } = recipientLists(clause, words);
      return [...direct, ...marked.flat()].some((place) => textAt(words, place) === textAt(words, at));
    });
  return [...places].some(
    (at) =>
      copulas.has(textAt(words, at - 1)) && addressNouns.has(textAt(words, at - 2)) && isOfRecipient(at - 3),
  );
}

const owners: ReadonlySet<string> = new Set("his her their the ihre seine die das".split(" "));
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
  const isIn = (list: readonly number[]): boolean => list.some((at) => places.has(at));
  const { direct, marked, copied } = recipientLists(clause, words);
  if ([direct, ...copied].some(isIn)) return true;
  // "The reply to Mark to Sarah": nobody knows which of them is the recipient.
  return marked.some(isIn) && (marked.length === 1 || act === "pay");
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
