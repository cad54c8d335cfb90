import type { ServiceAct } from "../../signal/effect.ts";
import type { FlowOrigin } from "../../signal/facts.ts";
import { foldName } from "../../text/fold-name.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { rightWords, synonymsOf } from "../../text/words/lexicon.ts";
import { partsOf } from "../../text/words/tokens.ts";
import { type DecidingValue, leavesIn } from "./deciding-values.ts";
import { isCredentialName, isPathName, isPersonName, momentsOf, wordsOfName } from "./fits-name.ts";
import { isAboutText, stem } from "./name-records.ts";
import { saysPart } from "./order.ts";
import { isSaidCurrency } from "./said-currency.ts";
import { isSaid } from "./said-moments.ts";
import { textAt } from "./sentence-parts.ts";
import { decidingNames, type TraceContext, type TracedCall } from "./trace-context.ts";
import { plainMoments, saidBeside } from "./trace-moments.ts";
import { traceValue } from "./trace-value.ts";

/**
 * Acts that reach others, cost or take away something, or give rights: nothing that nobody declared rides
 * along on them unseen.
 */
const weighty: ReadonlySet<ServiceAct> = new Set<ServiceAct>([
  "send",
  "delete",
  "pay",
  "credential",
  "grant",
]);

/**
 * The values in arguments that the owner's entry does not declare, and that decide over an act by what they
 * are: a flag that is on, a number, a value of a list that the server gives, a single word or code. A text
 * of several words only says something where the server describes its argument, or where its name says so.
 */
export function undeclaredValues(call: TracedCall): readonly DecidingValue[] {
  if (!weighty.has(call.act)) return [];
  const declared = decidingNames(call);
  return leavesIn(call.args, { path: "", name: "" }).flatMap(({ path, text }) => {
    const [, argument = ""] = path.split("/");
    const name = path.split("/").findLast((part) => !/^\d*$/.test(part)) ?? "";
    if (declared.has(foldName(argument)) || text.trim() === "") return [];
    const saysSomething = call.isDescribed || isText(argument);
    const decides =
      call.choices.has(argument) ||
      (!carriesText(call, argument) && (!saysSomething || text === name || isOneWord(text)));
    return decides ? [{ pointer: path, name, value: text, role: "critical" as const, nouns: [] }] : [];
  });
}

/**
 * What is said to others, in however few words, and what signs in. The names are those that the server
 * describes.
 */
function carriesText({ act }: TracedCall, argument: string): boolean {
  if (act === "credential") return isCredentialName(argument);
  return act === "send" && isText(argument);
}

const titles: ReadonlySet<string> = new Set(["subject", "title", "caption"]);

/**
 * Whether a text is one word, a code or a moment. Some languages write no blanks: there a few letters are
 * one.
 */
function isOneWord(text: string): boolean {
  const trimmed = text.trim();
  return (!/\s/u.test(trimmed) && !unspaced.test(trimmed)) || momentsOf(plainMoments(trimmed)).length > 0;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{5}/u;

/**
 * Where a value comes from that nobody declared. The owner's words say it where the clause of the act names
 * it as what it is: beside the noun of its argument, behind "as", and a right behind "for" or "with".
 */
export function originOfUndeclared(
  value: DecidingValue,
  all: readonly DecidingValue[],
  { act, context }: { readonly act: ServiceAct; readonly context: TraceContext },
): FlowOrigin {
  const moments = momentsOf(plainMoments(value.value.trim()));
  if (moments.length > 0) return originOfMoments(value, all, { act, context });
  if (isSaidCurrency(value.value, context)) return "words";
  if (context.request.clauses.some((clause) => isNamedAs(value, clause))) return "words";
  const origin = traceValue(value, { ...context, given: all.map((one) => one.value) });
  return isSaidByPlace.has(origin) ? "agent" : origin;
}

/** Origins that a word anywhere in the clause may give. */
const isSaidByPlace: ReadonlySet<FlowOrigin> = new Set(["words", "contact", "record"]);

/** What only says something. */
function isText(name: string): boolean {
  return isAboutText(name) || titles.has(name.toLowerCase());
}

function isNamedAs({ name, value }: DecidingValue, { words, from, to }: Clause): boolean {
  const parts = partsOf(value);
  const nouns = new Set([...wordsOfName(name), ...synonymsOf(name)].map(stem));
  const own = words.slice(0, to - from).filter(({ role }) => role !== "content");
  const isNoun = (at: number): boolean => nouns.has(stem(textAt(own, at)));
  return own.some((_, at) => {
    if (parts.length === 0 || !parts.every((part, order) => saysPart(textAt(own, at + order), part)))
      return false;
    const before = articles.has(textAt(own, at - 1)) ? at - 2 : at - 1;
    if (isNoun(before) || isText(name)) return true;
    if (isPersonName(name) || isPathName(name)) return false;
    const leads = textAt(own, before);
    return (
      isNoun(at + parts.length) ||
      asWords.has(leads) ||
      (withWords.has(leads) && rights.has(stem(textAt(own, at))))
    );
  });
}

const articles: ReadonlySet<string> = new Set("a an the ein eine der die das".split(" "));
const asWords: ReadonlySet<string> = new Set(["as", "als"]);
const withWords: ReadonlySet<string> = new Set("for with mit zum".split(" "));
const rights: ReadonlySet<string> = new Set([...rightWords.values()].flatMap((said) => [...said]));

/**
 * A date must be the one that the owner said, and of the times of a call one must be. Where the owner said
 * none, a message or an event may have its own; a payment is for today.
 */
function originOfMoments(
  value: DecidingValue,
  all: readonly DecidingValue[],
  { act, context }: { readonly act: ServiceAct; readonly context: TraceContext },
): FlowOrigin {
  const { today = "" } = context.sources;
  const own = momentsOf(plainMoments(value.value.trim()));
  const given = all.flatMap((one) => momentsOf(plainMoments(one.value.trim())));
  const said = saidBeside(given, context);
  const isOpen = own.every((moment) => {
    if (isSaid(moment, said)) return true;
    const same = said.filter(({ form }) => form === moment.form);
    if (same.length === 0) return act === "send" || moment.value === today || moment.form === "time";
    return moment.form === "time" && given.some((other) => other.form === "time" && isSaid(other, said));
  });
  return isOpen ? "words" : traceValue(value, context);
}
