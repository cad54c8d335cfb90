import type { FailedCall } from "../../signal/called-result.ts";
import { foldName } from "../../text/fold-name.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { findAmount } from "../../text/words/find-words.ts";
import { contactValue, findIdentifiers, identifierOf } from "../../text/words/identifiers.ts";
import { commonWords, currencyWords, moneyNouns, synonymsOf } from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import { partsOf } from "../../text/words/tokens.ts";
import { mostFailures } from "./asks-confirmation.ts";
import { leavesIn } from "./deciding-values.ts";
import { momentsOf } from "./fits-name.ts";
import { findRequest, hasNoun, readToolName, type ToolWords } from "./license-act.ts";
import { saysInvalid, wasNotDone } from "./status.ts";
import type { ReadCall, TracedCall, TraceSources } from "./trace-context.ts";

type RepeatParts = {
  readonly intent: Intent;
  /** The clauses that ask for the call. */
  readonly clauses: readonly Clause[];
  readonly sources: TraceSources;
  readonly readCall: ReadCall;
};

/** An act that was begun, with what came of it; null where nobody knows, since it failed. */
type BegunAct = { readonly tool: string; readonly args: JsonObject; readonly content: Json | null };

/**
 * The acts of this turn and its sub-tasks that the same request licensed, also those that were begun and
 * failed, by whatever tool of whatever server. Another thing that the request names, each by its noun, is
 * another act: "book a room and a flight".
 */
export function actsOfRequest(
  call: TracedCall,
  { intent, clauses, sources, readCall }: RepeatParts,
): readonly BegunAct[] {
  const tool = readToolName(call.tool);
  const turns = [sources, ...(sources.otherTurns ?? [])];
  const begun = turns.flatMap(({ results, failed = [] }): readonly BegunAct[] => [
    ...results,
    ...failed.filter(wasBegun).map((act) => ({ ...act, content: null })),
  ]);
  return begun.filter((result) => {
    if (result.tool === call.tool) return true;
    const earlier = readCall(result.tool, result.args);
    if (earlier === null || earlier.act === "read" || earlier.act === "fetch") return false;
    const words = readToolName(result.tool);
    const own = findRequest(intent, earlier.act, words).clauses;
    return own.some((clause) => clauses.includes(clause)) && !areNamedApart(clauses, tool, words);
  });
}

/**
 * Whether a call that failed had been begun: a payment may have been made, whatever its service answered. It
 * was not where the service found its arguments invalid, or where the call never reached it.
 */
function wasBegun({ code, message, args }: FailedCall): boolean {
  return begunCodes.has(code) && !saysInvalid(message, Object.keys(args));
}

/** The codes of calls that ended with an error after they were begun. */
const begunCodes: ReadonlySet<string> = new Set(
  "server-error server-failed stopped cancelled tool-failed unknown".split(" "),
);

function areNamedApart(clauses: readonly Clause[], one: ToolWords, other: ToolWords): boolean {
  return namesOnly(clauses, one, other) && namesOnly(clauses, other, one);
}

/**
 * Whether the request has a noun of the one tool that means nothing of the other. Money is paid by any
 * tool.
 */
function namesOnly(clauses: readonly Clause[], one: ToolWords, other: ToolWords): boolean {
  const same = new Set(other.nouns.flatMap(synonymsOf));
  return hasNoun(clauses, {
    ...one,
    nouns: one.nouns.filter((noun) => !same.has(noun) && !moneyNouns.has(noun)),
  });
}

/**
 * Whether the same was begun before in this turn: with the same values, or with some of them left out. What
 * was not done may be tried again a few times, where it only changes or sends; what failed, where it only
 * changes.
 */
export function isRepeated(call: TracedCall, parts: RepeatParts): boolean {
  const { sources, readCall } = parts;
  const values = decidedBy(call, sources);
  const same = actsOfRequest(call, parts).filter(({ tool, args }) => {
    const earlier = readCall(tool, args);
    return earlier !== null && areSame(values, decidedBy(earlier, sources));
  });
  const mayRetry = (call.act === "change" || call.act === "send") && same.length < mostFailures;
  return same.some(
    ({ content }) => !mayRetry || !(content === null ? call.act === "change" : wasNotDone(content)),
  );
}

/**
 * Whether earlier payments used up each mention of an amount: one amount for several recipients is paid once,
 * unless the words say "each".
 */
export function isAmountPaid(
  values: readonly { readonly value: string }[],
  clauses: readonly Clause[],
  earlier: readonly BegunAct[],
): boolean {
  const words = clauses.flatMap((clause) => clause.words);
  const amounts = values.flatMap(({ value }) => findAmount(words, value));
  if (clauses.some((clause) => saysEach(clause.words, amounts))) return false;
  return values.some(({ value }) => {
    const said = findAmount(words, value).length;
    const wanted = canonicalValue(value);
    const paid = earlier.filter(({ args }) =>
      leavesIn(args, { path: "", name: "" }).some(({ text }) => canonicalValue(text) === wanted),
    );
    return said > 0 && paid.length >= said;
  });
}

const eachWords: ReadonlySet<string> = new Set(["each", "je", "jeweils", "jedem"]);

/**
 * Whether an amount is for each of several: not "each month", which says how often, and not the French "je",
 * which has no amount beside it.
 */
function saysEach(words: Clause["words"], amounts: Clause["words"]): boolean {
  return words.some(({ text }, at) => {
    if (!eachWords.has(text)) return false;
    const [earlier, before, next] = [words[at - 2], words[at - 1], words[at + 1]];
    if (next !== undefined && amounts.includes(next)) return true;
    const unit = before !== undefined && currencyWords.has(before.text) ? earlier : before;
    if (text === "je" && (unit === undefined || !amounts.includes(unit))) return false;
    return next === undefined || next.after !== "nothing" || commonWords.has(next.text);
  });
}

/** What a value may be called: its canonical form, and those of the contact that it names. */
type Value = ReadonlySet<string>;

/** Whether each value of the one call is one of the other. */
function areSame(one: readonly Value[], other: readonly Value[]): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  if (few.length === 0) return many.length === 0;
  return few.every((value) => many.some((same) => !value.isDisjointFrom(same)));
}

/** What decides over a call, whatever it is called, and however it is spelled and nested. */
function decidedBy(
  { args, destinations, critical }: TracedCall,
  { contacts }: TraceSources,
): readonly Value[] {
  const names = new Set([...destinations, ...critical].map(foldName));
  const given = Object.entries(args);
  const deciding = given.filter(([name]) => names.has(foldName(name)));
  return (deciding.length > 0 ? deciding : given)
    .flatMap(([name, value]) => leavesIn(value, { path: "", name }))
    .filter(({ text }) => text.trim() !== "")
    .map(({ text }) => {
      const value = canonicalValue(text);
      const named = contacts.filter((contact) =>
        contact.names.some((name) => canonicalValue(name) === value),
      );
      return new Set([value, ...named.map((contact) => canonicalValue(contact.value))]);
    });
}

/** A value in a form that is the same for all spellings that a service may take for one. */
function canonicalValue(value: string): string {
  const text = value.normalize("NFKC").trim();
  const account = identifierOf(text.toUpperCase());
  if (account?.form === "account") return account.value.toLowerCase();
  const moments = momentsOf(text);
  if (moments.length > 0) return moments.map((moment) => moment.value).join(" ");
  const canonical = identifierOf(text)?.value ?? onlyIdentifier(text) ?? contactValue(text) ?? text;
  return canonical.toLowerCase().replace(/^00(?=\d{6})/, "+");
}

/** The one identifier of "Bob <bob@work.example>", "IBAN: GB29…" or "50 EUR". */
function onlyIdentifier(text: string): string | null {
  const [only, ...others] = findIdentifiers(text);
  if (only === undefined || others.length > 0) return null;
  if (only.form === "address" || only.form === "account") return only.value;
  const rest = partsOf(`${text.slice(0, only.start)} ${text.slice(only.end)}`);
  return only.form === "number" && rest.every((part) => currencyWords.has(part)) ? only.value : null;
}
