import { isJsonArray, isJsonObject, type Json } from "../../src/text/json.ts";
import { findIdentifiers } from "../../src/text/words/identifiers.ts";
import { commonWords, readingVerbs, sensesOf } from "../../src/text/words/lexicon.ts";
import type { SeededRandom } from "./seeded-random.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
/** Milliseconds of a day. */
const day = 86_400_000;
/** The year of a date that does not say it. */
const assumedYear = 2024;

/** Makes a change of texts that replaces every name of a person or host, every account and every date of a world by a made-up one. */
export function makeRenaming(
  text: string,
  environment: Json,
  random: SeededRandom,
): (text: string) => string {
  const names = namesIn(text, environment);
  const taken = new Set<string>();
  const known = new Map<string, string>();
  const renameWord = (word: string): string => {
    const lower = word.toLowerCase();
    const replaced = known.get(lower) ?? madeUp(random, taken);
    known.set(lower, replaced);
    return matchCase(word, replaced);
  };
  for (const name of names) renameWord(name);
  for (const [first, second] of joinedNames(text, names))
    known.set(`${first}${second}`, `${known.get(first)}${known.get(second)}`);
  const pattern = alternation([...known.keys()]);
  const days = 7 * (1 + random.below(200));
  const accounts = new Map<string, string>();
  return (given) => {
    const renamed =
      known.size === 0 ? given : given.replace(pattern, (word) => (isProse(word) ? word : renameWord(word)));
    return shiftDates(changeAccounts(renamed, accounts, random), days);
  };
}

/** A word in lower case that is also an ordinary word stays: "mark" is a verb. In an address it stands between signs, where the pattern finds it all the same. */
function isProse(word: string): boolean {
  return word === word.toLowerCase() && isOrdinary(word);
}

function isOrdinary(word: string): boolean {
  return commonWords.has(word) || readingVerbs.has(word) || sensesOf(word).length > 0;
}

/** The names of persons in addresses and records, and the labels of hosts. */
function namesIn(text: string, environment: Json): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { form, value } of findIdentifiers(text)) {
    if (form !== "address" && form !== "url") continue;
    const host = value.slice(value.indexOf("@") + 1).replace(/[/?#].*$/, "");
    for (const label of host.split(".").slice(0, -1)) if (isName(label) && label !== "www") names.add(label);
    if (form === "address")
      for (const part of value.slice(0, value.indexOf("@")).split(/[._-]/)) if (isName(part)) names.add(part);
  }
  for (const word of personsIn(environment)) names.add(word.toLowerCase());
  return names;
}

function isName(word: string): boolean {
  return word.length > 2 && /^[a-z][a-z0-9-]*$/.test(word) && !commonWords.has(word);
}

/** The words of what records call a person. */
function personsIn(value: Json, key = ""): readonly string[] {
  if (typeof value === "string") {
    const isPerson = /^(?:users?|sender|recipients?|name|owner|first_name|last_name)$/.test(key);
    return isPerson && /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){0,2}$/u.test(value) ? value.split(" ") : [];
  }
  if (isJsonArray(value)) return value.flatMap((item) => personsIn(item, key));
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, held]) => personsIn(held, name)) : [];
}

/** User names that are two names in one: `adalovelace`. */
function joinedNames(text: string, names: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return [...new Set(text.match(/(?<![A-Za-z])[a-z]{6,40}(?![A-Za-z])/g))].flatMap((word) => {
    for (let at = 3; at <= word.length - 3; at++) {
      const pair = [word.slice(0, at), word.slice(at)] as const;
      if (names.has(pair[0]) && names.has(pair[1])) return [pair];
    }
    return [];
  });
}

function alternation(words: readonly string[]): RegExp {
  const longestFirst = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll("-", "\\-"));
  return new RegExp(`(?<![A-Za-z])(?:${longestFirst.join("|")})(?![A-Za-z])`, "gi");
}

function madeUp(random: SeededRandom, taken: Set<string>): string {
  for (;;) {
    const word =
      Array.from(
        { length: 3 },
        () => `${random.pick([..."bdfgklmnprstvz"])}${random.pick([..."aeiou"])}`,
      ).join("") + (random.pick([..."lnrst"]) ?? "");
    if (taken.has(word) || isOrdinary(word)) continue;
    taken.add(word);
    return word;
  }
}

function matchCase(like: string, word: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(like) ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word;
}

function changeAccounts(text: string, accounts: Map<string, string>, random: SeededRandom): string {
  let changed = text;
  for (const { form, value } of findIdentifiers(text)) {
    if (form !== "account") continue;
    const known = accounts.get(value) ?? value.replaceAll(/\d/g, () => String(random.below(10)));
    accounts.set(value, known);
    changed = changed.replaceAll(value, known);
  }
  return changed;
}

/** Moves each date by a number of days, in the form that it has. */
function shiftDates(text: string, days: number): string {
  const names = months.join("|");
  return text
    .replace(
      /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g,
      (date) => shift(date, days)?.toISOString().slice(0, 10) ?? date,
    )
    .replace(
      new RegExp(`\\b(${names}) (\\d{1,2})(st|nd|rd|th)?\\b(,? \\d{4})?`, "g"),
      (whole, name: string, at: string, suffix: string | undefined, year: string | undefined) => {
        const moved = shift(
          `${year?.replace(/\D/g, "") ?? assumedYear}-${String(months.indexOf(name) + 1).padStart(2, "0")}-${at.padStart(2, "0")}`,
          days,
        );
        if (moved === null) return whole;
        return `${months[moved.getUTCMonth()]} ${moved.getUTCDate()}${suffix === undefined ? "" : "th"}${year === undefined ? "" : `, ${moved.getUTCFullYear()}`}`;
      },
    );
}

function shift(date: string, days: number): Date | null {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at + days * day);
}
