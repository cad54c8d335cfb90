import type { FlowOrigin } from "../../signal/facts.ts";
import { findAmount, findBeginning, findNaming, findPhrase } from "../../signal/intent/find-words.ts";
import { identifierOf } from "../../signal/intent/identifiers.ts";
import { rightWords, sourcePrepositions } from "../../signal/intent/lexicon.ts";
import type { ClauseWord, Intent } from "../../signal/intent/read-intent.ts";
import { partsOf } from "../../signal/intent/tokens.ts";
import { type JsonObject, stringsIn } from "../../signal/json.ts";
import { isIdField, recordsIn } from "./records.ts";
import { isContact } from "./trace-contact.ts";
import {
  fitsSlot,
  refersBack,
  type TraceContext,
  type TracedArgument,
  type TracedResult,
} from "./trace-context.ts";
import { isNamedLink } from "./trace-link.ts";
import { isOfRecord } from "./trace-record.ts";

/** Finds where a value comes from that decides over an effect: by whole identifiers and names in the clause that asks for the act, never by a part of a text. */
export function traceValue(argument: TracedArgument, context: TraceContext): FlowOrigin {
  const form = identifierOf(argument.value)?.form;
  if (isApproved(argument.value, context.approved)) return "approved";
  if (isInWords(argument, context)) return "words";
  if (form === "date" && argument.role === "critical" && isSaidDate(argument.value, context.intent))
    return "words";
  if (form === "path" && isOwnPath(argument.value, context)) return "words";
  if (isContact(argument, context)) return "contact";
  if (form !== "address" && form !== "url" && isMade(argument, context)) return "made";
  if (isOfRecord(argument, context)) return "record";
  return originOutside(argument.value, context.results);
}

/** Finds where an address comes from that is only read: the owner's words, a link in a source that they name, or the host of a page that they name. */
export function traceAddress(argument: TracedArgument, context: TraceContext): FlowOrigin {
  const { value } = argument;
  const wanted = identifierOf(value);
  const words = context.intent.words.filter(({ role }) => role !== "content");
  if (isApproved(value, context.approved)) return "approved";
  if (findNaming(words, value).length > 0) return "words";
  if (wanted?.form === "path" && isOwnPath(value, context)) return "words";
  if (wanted?.form === "url") {
    const { value: url } = wanted;
    if (isNamedLink(url, words, context)) return "link";
  } else if (isMade(argument, context)) return "made";
  return originOutside(value, context.results);
}

/** Whether content of others holds the value, or nothing that is known. */
function originOutside(value: string, results: readonly TracedResult[]): "foreign" | "agent" {
  const held = results.some(({ content }) => stringsIn(content).some(({ text }) => text.includes(value)));
  return held ? "foreign" : "agent";
}

function isApproved(value: string, approved: readonly JsonObject[]): boolean {
  const canonical = identifierOf(value)?.value ?? value;
  return approved.some((args) =>
    stringsIn(args).some(({ text }) => {
      const own = identifierOf(text)?.value ?? text;
      return own === canonical || (own.startsWith("/") && isBelow(canonical, own));
    }),
  );
}

/** Whether the owner said the date, with or without its year. */
function isSaidDate(value: string, { dates }: Intent): boolean {
  const date = identifierOf(value)?.value ?? value;
  return dates.some((said) => said === date || said === `*${date.slice(4)}`);
}

/** Whether the clause that asks for the act names the value in its place. */
function isInWords({ name, value, role }: TracedArgument, context: TraceContext): boolean {
  const rights = rightWords.get(value);
  const nouns = new Set(partsOf(name));
  const clauses = [...context.request.clauses, ...(role === "destination" ? context.request.companions : [])];
  return clauses.some((clause) => {
    const usable = clause.words.filter((word) => fitsSlot(word, role, context));
    if (rights !== undefined) return usable.some(({ text }) => rights.has(text));
    if (findIn(clause.words, value, nouns).some((word) => usable.includes(word))) return true;
    if (role === "critical" && !nouns.has("id") && findAmount(usable, value).length > 0) return true;
    if (findBeginning(usable, value).length > 0) return isOnlyOneBeginning(value, context);
    return role === "critical" && refersBack(clause) && findNaming(clause.earlier, value, nouns).length > 0;
  });
}

function findIn(
  words: readonly ClauseWord[],
  value: string,
  nouns: ReadonlySet<string>,
): readonly ClauseWord[] {
  const own = findNaming(words, value, nouns);
  const stemmed = value.replace(/\.[a-z0-9]{1,5}$/i, "");
  return own.length > 0 || stemmed === value || identifierOf(value) !== null
    ? own
    : findPhrase(words, partsOf(value));
}

/** "The channel starting with X" names the only one that begins so. */
function isOnlyOneBeginning(value: string, { results, request }: TraceContext): boolean {
  const known = new Set(results.flatMap(({ content }) => stringsIn(content).map(({ text }) => text)));
  const others = [...known].filter(
    (text) => text.length <= 80 && request.clauses.some(({ words }) => findBeginning(words, text).length > 0),
  );
  return known.has(value) && others.every((text) => text === value);
}

/** Whether a path is one that the owner typed, or stands below it without a hidden name. */
function isOwnPath(value: string, { intent }: TraceContext): boolean {
  const path = identifierOf(value)?.value ?? value;
  if (partsOfPath(path).includes("..")) return false;
  const typed = intent.words.filter((_, at) => !sourcePrepositions.has(intent.words[at - 1]?.text ?? ""));
  return typed.some(
    ({ identifier, role }) =>
      role !== "content" &&
      identifier?.form === "path" &&
      identifier.value !== "/" &&
      (path === identifier.value || isBelow(path, identifier.value)),
  );
}

function isBelow(path: string, folder: string): boolean {
  return (
    path.startsWith(`${folder}/`) &&
    partsOfPath(path.slice(folder.length)).every((part) => !part.startsWith("."))
  );
}

function partsOfPath(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

/** Whether an act of this turn made the thing: its id in the result, or the name that the act gave it. */
function isMade({ value }: TracedArgument, { results }: TraceContext): boolean {
  const last = value.split("/").at(-1) ?? value;
  return results.some(
    ({ made, content, args }) =>
      made &&
      (recordsIn(content)
        .slice(0, 1)
        .some(({ fields }) => fields.some((field) => isIdField(field) && field.values.includes(value))) ||
        Object.values(args).some((given) => given === last && value !== last)),
  );
}
