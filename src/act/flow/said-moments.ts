import { quantities } from "../../text/words/lexicon.ts";
import type { Word } from "../../text/words/tokens.ts";

/** A date ("2026-06-03", without a year "*-06-03") or a time ("17:00"). */
export type Moment = { readonly form: "date" | "time"; readonly value: string };
/** What some words say of when: "at 5" may mean two times. */
export type SaidMoment = { readonly form: Moment["form"]; readonly values: readonly string[] };

/**
 * The dates and times that words say, in their order: written out, and in other words. Days count from
 * `today`, on which the words were typed; without it they say nothing.
 */
export function momentsSaid(words: readonly Word[], today: string | undefined): readonly SaidMoment[] {
  return words.flatMap((_, at) => momentAt(words, at, today) ?? []);
}

/** The date or time that a word of them says; null for any other word. */
export function momentAt(words: readonly Word[], at: number, today: string | undefined): SaidMoment | null {
  const word = words[at];
  if (word === undefined || word.role === "content") return null;
  if (word.date !== null) return { form: "date", values: [word.date] };
  if (word.identifier?.form === "time") return { form: "time", values: [word.identifier.value] };
  const days = today === undefined ? [] : daysFrom(today, word.text, words.slice(Math.max(0, at - 2), at));
  if (today !== undefined && days.length > 0)
    return { form: "date", values: days.map((count) => dayBehind(today, count)) };
  const hours = timesOf(words, at);
  return hours.length === 0 ? null : { form: "time", values: hours };
}

/** Whether words say a date or a time. A year may be missing on either side. */
export function isSaid({ form, value }: Moment, said: readonly SaidMoment[]): boolean {
  return said.some((one) => one.form === form && one.values.some((other) => isSameMoment(value, other)));
}

/** Whether two dates or times are one. */
export function isSameMoment(a: string, b: string): boolean {
  return a === b || ((a.startsWith("*") || b.startsWith("*")) && a.slice(-6) === b.slice(-6));
}

/** The minutes that words say that something lasts: "for two hours". */
export function durationsSaid(words: readonly Word[]): readonly number[] {
  return words.flatMap(({ text }, at) => {
    const [, joined, unit] = /^(?:(\d{1,3})-?)?(h|hours?|minutes?|mins?|stunden?|minuten?)$/.exec(text) ?? [];
    if (unit === undefined) return [];
    const before = words[at - 1]?.text ?? "";
    const isHalf = words.slice(Math.max(0, at - 2), at).some((word) => /^(?:half|halbe?)$/.test(word.text));
    const count = isHalf ? 0.5 : Number(joined ?? countOf(before));
    return Number.isNaN(count) ? [] : [count * (/^(?:h|s)/.test(unit) ? 60 : 1)];
  });
}

/** The time that comes so many minutes behind another. */
export function timeBehind(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const all = hour * 60 + minute + minutes;
  return `${two(Math.floor(all / 60) % 24)}:${two(all % 60)}`;
}

const weekdays: ReadonlyMap<string, number> = new Map(
  [
    "sunday monday tuesday wednesday thursday friday saturday",
    "sonntag montag dienstag mittwoch donnerstag freitag samstag",
  ].flatMap((names) => names.split(" ").map((name, at) => [name, at] as const)),
);
const dayWords: ReadonlyMap<string, number> = new Map([
  ...["today", "tonight", "heute"].map((word) => [word, 0] as const),
  ...["tomorrow", "morgen"].map((word) => [word, 1] as const),
  ["übermorgen", 2],
]);

/**
 * How many days behind today a word says: of a weekday the next one, with "next" perhaps the one behind it.
 */
function daysFrom(today: string, text: string, before: readonly Word[]): readonly number[] {
  const [second = "", first = ""] = before.slice(-2).map((word) => word.text);
  const day = dayWords.get(text);
  if (day !== undefined) return [day === 1 && first === "after" ? 2 : day];
  const weekday = weekdays.get(text);
  if (weekday !== undefined) {
    const next = (weekday - new Date(`${today}T00:00Z`).getUTCDay() + 7) % 7 || 7;
    return nextWords.has(first) ? [next, next + 7] : [next];
  }
  const length = /^(?:days?|tage?n?)$/.test(text) ? 1 : /^(?:weeks?|wochen?)$/.test(text) ? 7 : null;
  const count = length === null || second !== "in" ? Number.NaN : countOf(first);
  return length === null || Number.isNaN(count) ? [] : [count * length];
}

const nextWords: ReadonlySet<string> = new Set(["next", "nächsten", "nächster", "kommenden"]);

const hourWords: ReadonlyMap<string, string> = new Map([
  ...["noon", "midday", "mittag", "mittags"].map((word) => [word, "12:00"] as const),
  ...["midnight", "mitternacht"].map((word) => [word, "00:00"] as const),
]);

const articles: ReadonlySet<string> = new Set("a an the this that ein eine einen".split(" "));

/** What stands before an hour that has no sign of one. */
const hourLeads: ReadonlySet<string> = new Set(
  "at from to until till by before after between and past halb um von bis ab gegen".split(" "),
);
/** Minutes behind the hour that the word before it says. */
const minutesBehind: ReadonlyMap<string, number> = new Map([
  ["half past", 30],
  ["quarter past", 15],
  ["quarter to", -15],
  ["halb", -30],
]);

/** The times that an hour says: by day and by night. */
function timesOf(words: readonly Word[], at: number): readonly string[] {
  const [word, next] = [words[at], words[at + 1]];
  const named = hourWords.get(word?.text ?? "");
  if (named !== undefined) return [named];
  const hour = countOf(word?.text ?? "");
  const [second = "", first = ""] = words.slice(Math.max(0, at - 2), at).map(({ text }) => text);
  // "At a party" is no hour.
  const leads = hourLeads.has(first) && !articles.has(word?.text ?? "");
  const isHour = leads || next?.text === "uhr" || next?.text === "o'clock";
  if (!Number.isInteger(hour) || hour > 24 || !isHour) return [];
  const minutes = minutesBehind.get(`${second} ${first}`) ?? minutesBehind.get(first) ?? 0;
  const time = timeBehind(`${hour % 24}:0`, minutes + 24 * 60);
  return hour > 12 ? [time] : [time, timeBehind(time, 12 * 60)];
}

function countOf(text: string): number {
  const count = quantities.get(text);
  return typeof count === "number" ? count : /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}

function dayBehind(today: string, days: number): string {
  const date = new Date(`${today}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
