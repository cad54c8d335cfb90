import type { ServiceAct } from "../../signal/effect.ts";
import type { Flow, FlowOrigin } from "../../signal/facts.ts";
import { type JsonObject, stringsIn } from "../../text/json.ts";
import { greatest } from "../../text/lists.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { findNaming } from "../../text/words/find-words.ts";
import { contactValue, fileNameWithoutSuffix, identifierOf } from "../../text/words/identifiers.ts";
import { commonWords, idNouns, rightWords, synonymsOf } from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import { partsOf, type Word } from "../../text/words/tokens.ts";
import type { DecidingValue } from "./deciding-values.ts";
import { momentsOf, wordsOfName } from "./fits-name.ts";
import type { ToolWords } from "./license-act.ts";
import { isTitle, stem } from "./name-records.ts";
import { recordsIn } from "./records.ts";
import { isSaid, type Moment, momentAt } from "./said-moments.ts";
import type { TraceContext, TraceSources } from "./trace-context.ts";

/** A value that decides over the call, and where it comes from. */
export type OrderValue = DecidingValue & { readonly origin: FlowOrigin };

/** An act with the owner's words that ask for it. */
export type Order = {
  readonly act: ServiceAct;
  readonly tool: ToolWords;
  readonly intent: Intent;
  /** The requests that ask for this act. */
  readonly clauses: readonly Clause[];
  readonly values: readonly OrderValue[];
  /** The dates and times that the call is given. */
  readonly moments: readonly Moment[];
  readonly sources: TraceSources;
};

type OrderParts = {
  readonly values: readonly DecidingValue[];
  /** Where these come from, in the same order. */
  readonly flows: readonly Flow[];
  /** The values that nobody declared. */
  readonly undeclared: readonly { readonly value: DecidingValue; readonly flow: Flow }[];
  readonly context: TraceContext;
};

/** A call with the words that ask for it. */
export function orderOf(
  { act, args }: { readonly act: ServiceAct; readonly args: JsonObject },
  { values, flows, undeclared, context: { tool, intent, request, sources } }: OrderParts,
): Order {
  return {
    act,
    tool,
    intent,
    clauses: request.clauses,
    values: [
      ...values.flatMap((value, at) => {
        const flow = flows[at];
        return flow === undefined ? [] : [{ ...value, origin: flow.origin }];
      }),
      ...undeclared.map(({ value, flow }) => ({ ...value, origin: flow.origin })),
    ],
    moments: stringsIn(args).flatMap(({ text }) => momentsOf(text)),
    sources,
  };
}

/** The nouns for what the act is about: of its tool, and of its arguments. */
export function kindsOf({ tool, values }: Order): ReadonlySet<string> {
  const own = [...tool.nouns, ...values.flatMap(({ name }) => wordsOfName(name))].flatMap(synonymsOf);
  return new Set([...own, ...own.map(stem), ...idNouns]);
}

/** Where the words stand that name a value of the call, or a thing in one list with it. */
export function namedPlaces(order: Order, kinds: ReadonlySet<string>): ReadonlySet<number> {
  const { typed } = order.intent;
  const places = new Set(order.values.flatMap((value) => placesOf(value, order, kinds)));
  for (const at of typed.keys()) {
    const said = momentAt(typed, at, order.sources.today);
    if (said !== null && order.moments.some((moment) => isSaid(moment, [said]))) places.add(at);
  }
  const listed = new Set<number>();
  const isPart = (at: number, beside: number): boolean =>
    listed.has(beside) && isLinked(typed, Math.max(at, beside)) && typed.slice(at, at + 1).every(isName);
  const add = (at: number): void => {
    if (places.has(at)) return;
    listed.add(at);
    places.add(at);
  };
  for (const [at, word] of typed.entries())
    if (isListed(typed, at, { places, kinds, word }) || isPart(at, at - 1)) add(at);
  for (let at = typed.length - 1; at >= 0; at--)
    if (leadsToNamed(typed, at, { places, kinds }) || isPart(at, at + 1)) add(at);
  return places;
}

/** Where the words of a value stand, of the contact or of the record that has it. */
export function placesOf(
  { value, origin }: OrderValue,
  { intent, sources }: Order,
  kinds: ReadonlySet<string>,
): readonly number[] {
  const { typed } = intent;
  const own = new Set(identifierOf(value) === null ? [] : findNaming(typed, value, kinds));
  const contact = contactValue(value) ?? value;
  const names = sources.contacts
    .filter((one) => one.value === contact)
    .flatMap(({ names: all }) => all.flatMap((one) => [partsOf(one), partsOf(one).slice(0, 1)]));
  const [mailbox = ""] = contact.split("@");
  const bare = fileNameWithoutSuffix(value);
  const persons = mailbox === contact ? [] : partsOf(mailbox).map((part) => [part]);
  const phrases = [partsOf(value), ...names, ...persons, ...(bare === null ? [] : [partsOf(bare)])];
  const titles = origin === "record" ? titlesOf(value, sources) : new Set<string>();
  return typed
    .flatMap((word, at) => {
      const length = greatest([0, ...phrases.map((parts) => lengthAt(typed, at, parts))]);
      if (length > 0) return Array.from({ length }, (_, order) => at + order);
      const isOwn =
        own.has(word) ||
        saysPart(word.text, value) ||
        rightWords.get(value)?.has(word.text) === true ||
        partsOf(word.text).some((part) => titles.has(stem(part)));
      return isOwn ? [at] : [];
    })
    .filter((at) => typed[at]?.role !== "content");
}

/** Whether a word of a request is one of a value: "reading" says "read". */
export function saysPart(text: string, part: string): boolean {
  return stem(text) === stem(part) || text === `${part}ing`;
}

/** How many words at a place are these parts, in this order; 0 where they are not. */
function lengthAt(words: readonly Word[], at: number, parts: readonly string[]): number {
  if (parts.every((part) => commonWords.has(part))) return 0;
  let next = 0;
  for (let index = at; index < words.length; index++) {
    const own = partsOf(words[index]?.text ?? "");
    if (own.length === 0 || own.some((part, order) => parts[next + order] !== part)) return 0;
    next += own.length;
    if (next === parts.length) return index - at + 1;
  }
  return 0;
}

/** The telling words of the titles of what was read with a value. */
function titlesOf(value: string, { results }: TraceSources): ReadonlySet<string> {
  const fields = results
    .flatMap(({ content }) => recordsIn(content))
    .filter((record) => record.fields.some(({ values }) => values.includes(value)))
    .flatMap((record) => record.fields.filter(isTitle));
  const parts = fields.flatMap(({ values }) => values.flatMap(partsOf));
  return new Set(parts.filter((part) => part.length > 2 && !commonWords.has(part)).map(stem));
}

type ListParts = { readonly places: ReadonlySet<number>; readonly kinds: ReadonlySet<string> };

/** "The files 13 and 14": what stands in one list with a thing that the call names. */
function isListed(
  words: readonly Word[],
  at: number,
  { places, kinds, word }: ListParts & { readonly word: Word },
): boolean {
  if (!isName(word)) return false;
  let before = at;
  while (before > 0 && isLinked(words, before) && isKind(words[before - 1], kinds)) before--;
  const isJoined = words[before]?.after === "comma" || listWords.has(words[before - 1]?.text ?? "");
  return isJoined && places.has(listWords.has(words[before - 1]?.text ?? "") ? before - 2 : before - 1);
}

/** The same, where the thing that the call names comes later in the list. */
function leadsToNamed(words: readonly Word[], at: number, { places, kinds }: ListParts): boolean {
  const word = words[at];
  const next = words[at + 1];
  if (word === undefined || next === undefined || !isName(word) || next.after === "sentence") return false;
  const isJoined = listWords.has(next.text) || next.after === "comma";
  let behind = listWords.has(next.text) ? at + 2 : at + 1;
  while (isKind(words[behind], kinds) && !places.has(behind)) behind++;
  return isJoined && places.has(behind);
}

function isLinked(words: readonly Word[], at: number): boolean {
  return words[at]?.after === "nothing";
}

function isKind(word: Word | undefined, kinds: ReadonlySet<string>): boolean {
  return (
    word !== undefined && word.role === "plain" && (articles.has(word.text) || kinds.has(stem(word.text)))
  );
}

const articles: ReadonlySet<string> = new Set("the my our a an der die das den mein meine".split(" "));
const listWords: ReadonlySet<string> = new Set(["and", "und", "&"]);

/**
 * Whether a word is no common one: a value, a quoted name, or a word with a capital or a sign that only
 * names have.
 */
export function isName({ identifier, role, capital, text }: Word): boolean {
  return (
    role === "name" || (role === "plain" && (identifier !== null || capital || /[_/.@]|\p{L}\d/u.test(text)))
  );
}
