import {
  fileNameWithoutSuffix,
  findIdentifiers,
  type IdentifierForm,
  identifierOf,
} from "../../text/words/identifiers.ts";
import { credentialNouns, personNouns } from "../../text/words/lexicon.ts";
import { partsOf } from "../../text/words/tokens.ts";
import type { Moment } from "./said-moments.ts";

/** The words of the name of an argument or a field: `startTime` and `start_time` are the same two. */
export function wordsOfName(name: string): readonly string[] {
  return partsOf(name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " "));
}

/** Whether a value has the form that the name of its argument calls for: no word is a URL, a path or a moment, no date is an id, and no page is a person. */
export function fitsName(name: string, value: string): boolean {
  const nouns = wordsOfName(name);
  const form = identifierOf(value)?.form;
  if (isMomentName(name)) return isMoment(value);
  if (isIdName(name)) return !/\s/u.test(value) && form !== "date" && form !== "time";
  const isPerson = nouns.some((noun) => personNouns.has(noun));
  if (form === "address" && !isPerson) return false;
  if (form === "path" && !isPathName(name)) return false;
  if (form === "url" && nouns.some((noun) => talkNouns.has(noun))) return false;
  const called = nouns.flatMap((part) => formsByNoun.get(part) ?? []);
  if (called.length > 0) return called.some((one) => one === form);
  return (
    !isPerson ||
    form === "address" ||
    form === "account" ||
    (!isElsewhere.has(form ?? "number") && !value.includes("/") && fileNameWithoutSuffix(value) === null)
  );
}

/** Where people talk, which is no page. */
const talkNouns: ReadonlySet<string> = new Set(
  "channel channels group groups room chat thread kanal".split(" "),
);

/** Forms of values that name no person. */
const isElsewhere: ReadonlySet<IdentifierForm> = new Set(["url", "date", "time"]);

/** Whether an argument names a person, or an account of one. */
export function isPersonName(name: string): boolean {
  return wordsOfName(name).some((part) => personNouns.has(part));
}

/** Whether an argument names a file or a folder. */
export function isPathName(name: string): boolean {
  return wordsOfName(name).some((part) => pathNouns.has(part) || formsByNoun.get(part) === "path");
}

/** Whether an argument is the id of something, which no amount, no date and no title is. */
export function isIdName(name: string): boolean {
  return wordsOfName(name).some((part) => part === "id" || part === "ids");
}

/** Whether an argument says when. */
export function isMomentName(name: string): boolean {
  return momentNouns.has(wordsOfName(name).at(-1) ?? "");
}

/** Whether an argument opens something: no common word is a key. */
export function isCredentialName(name: string): boolean {
  return wordsOfName(name).some((part) => part !== "account" && credentialNouns.has(part));
}

/** Whether an argument is what something is called: no amount is. */
export function isTextName(name: string): boolean {
  return /(?:name|title|subject|folder|path|city|street|address)$/i.test(name);
}

/** The dates and times of a value that is nothing else; none of any other value. */
export function momentsOf(value: string): readonly Moment[] {
  const text = value.replace(/(?<=\d)T(?=\d)/, " ");
  const parts = findIdentifiers(text);
  const rest = parts
    .toReversed()
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  const moments = parts.flatMap(({ form, value: part }) =>
    form === "date" || form === "time" ? [{ form, value: part }] : [],
  );
  return moments.length === parts.length &&
    moments.length <= 2 &&
    (moments.length < 2 || (moments[0]?.form === "date" && moments[1]?.form === "time")) &&
    /^ ?$/.test(rest)
    ? moments
    : [];
}

function isMoment(value: string): boolean {
  return momentsOf(value).length > 0 || relativeDays.has(value.trim().toLowerCase());
}

const relativeDays: ReadonlySet<string> = new Set(
  "today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday heute morgen montag dienstag mittwoch donnerstag freitag samstag sonntag".split(
    " ",
  ),
);

const momentNouns: ReadonlySet<string> = new Set(
  "date day time start begin end until deadline due datetime datum tag uhrzeit".split(" "),
);

const pathNouns: ReadonlySet<string> = new Set(
  "file files document attachment attachments source target destination location name root".split(" "),
);

const formsByNoun: ReadonlyMap<string, IdentifierForm> = new Map([
  ["email", "address"],
  ["mail", "address"],
  ["url", "url"],
  ["link", "url"],
  ["path", "path"],
  ["dir", "path"],
  ["directory", "path"],
  ["folder", "path"],
  ["iban", "account"],
]);
