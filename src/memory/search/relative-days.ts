import { pushAll } from "../../text/lists.ts";
import { plainWords } from "./read-words.ts";
import { isAlsoAnotherWord, spellOutTimes, type TimeWord, timeWord } from "./time-words.ts";

/** Days from `from` to `to`, both included, as numbers of days since 1970; `weight` is from 0 to 1. */
export type DayRange = { readonly from: number; readonly to: number; readonly weight: number };

/** The days that a question names, and the words in lower case that name them. `frame` words say nothing else (`last week`); the others may stand in a text (`march`). */
export type NamedDays = {
  readonly ranges: readonly DayRange[];
  readonly words: ReadonlySet<string>;
  readonly frame: ReadonlySet<string>;
};

type Token = { readonly kind: TimeWord | "year" | "number"; readonly value: number; readonly word: string };
type Kind = Token["kind"];

const milliseconds = 86_400_000;
const unsure = 0.5;

/** The number of the local day of a time. */
function dayNumber(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / milliseconds;
}

/** The days and spans of time that a question names, in English, German, Dutch, and the commonest in Japanese and Chinese; `now` is when it is asked. */
export function readNamedDays(question: string, now: number): NamedDays {
  const read = plainWords(spellOutTimes(question)).map(tokenOf);
  const today = dayNumber(now);
  const ranges: DayRange[] = [];
  const words = new Set<string>();
  const frame = new Set<string>();
  for (let at = 0; at < read.length; ) {
    const found =
      isoRange(read, at) ?? matchers.map((match) => match(read, at, today)).find((match) => match !== null);
    if (found === undefined || found === null) {
      at += 1;
      continue;
    }
    pushAll(ranges, found.ranges);
    for (const token of read.slice(at, at + found.length)) {
      if (token !== null) (isFrame(token) ? frame : words).add(token.word);
    }
    at += found.length;
  }
  return { ranges, words, frame };
}

function isFrame({ kind, word }: Token): boolean {
  return !["day", "month", "weekday", "season", "number", "year"].includes(kind) && !isAlsoAnotherWord(word);
}

type Tokens = readonly (Token | null)[];
type Match = { readonly ranges: readonly DayRange[]; readonly length: number };
type Matcher = (read: Tokens, at: number, today: number) => Match | null;

function tokenOf(word: string): Token | null {
  const known = timeWord(word);
  if (known !== null) return { ...known, word };
  const number = /^(\d{1,4})(?:st|nd|rd|th|e)?$/.exec(word)?.[1];
  if (number === undefined) return null;
  return { kind: /^(?:19|20)\d\d$/.test(number) ? "year" : "number", value: Number(number), word };
}

function kindsAt(read: Tokens, at: number): readonly (Kind | "")[] {
  return [0, 1, 2, 3].map((more) => read[at + more]?.kind ?? "");
}

function valueAt(read: Tokens, at: number): number {
  return read[at]?.value ?? 0;
}

const isCount = (kind: Kind | ""): boolean => kind === "count" || kind === "number";

/** `2026-03-12`, `2026-03` as words. */
function isoRange(read: Tokens, at: number): Match | null {
  const [first, second, third] = kindsAt(read, at);
  if (first !== "year" || second !== "number") return null;
  const [year, month, day] = [valueAt(read, at), valueAt(read, at + 1) - 1, valueAt(read, at + 2)];
  if (month < 0 || month > 11) return null;
  if (third !== "number" || day < 1 || day > 31) return { ranges: [monthRange(year, month)], length: 2 };
  return { ranges: [oneDay(numberOf(year, month, day))], length: 3 };
}

/** Tried in this order; the first that matches counts. */
const matchers: readonly Matcher[] = [
  relativeDay,
  ago,
  lastSpan,
  lastWeekday,
  relativeUnit,
  relativeMonth,
  dayOfMonth,
  weekday,
  weekend,
  wholeYear,
];

function relativeDay(read: Tokens, at: number, today: number): Match | null {
  const [first, second] = kindsAt(read, at);
  if (first === "which" && valueAt(read, at) === -1 && second === "unit" && valueAt(read, at + 1) === 0) {
    return { ranges: [oneDay(today - 1)], length: 2 };
  }
  return first === "day" ? { ranges: [oneDay(today + valueAt(read, at))], length: 1 } : null;
}

/** `three weeks ago`, `vor drei Wochen`. The further ago, the less exactly it is meant. */
function ago(read: Tokens, at: number, today: number): Match | null {
  const kinds = kindsAt(read, at);
  const begin = kinds[0] === "before" ? at + 1 : at;
  const [count = "", unit, last] = kindsAt(read, begin);
  if (!isCount(count) || unit !== "unit" || (kinds[0] !== "before" && last !== "ago")) return null;
  const days = valueAt(read, begin + 1);
  const middle = today - valueAt(read, begin) * days;
  const around = days === 1 ? 0 : Math.ceil(days / 2);
  const ranges = [{ from: middle - around, to: Math.min(today, middle + around), weight: 1 }];
  return { ranges, length: 3 };
}

/** `the last two weeks`. */
function lastSpan(read: Tokens, at: number, today: number): Match | null {
  const [which, count = "", unit] = kindsAt(read, at);
  if (which !== "which" || !isCount(count) || unit !== "unit") return null;
  const days = valueAt(read, at + 1) * Math.max(1, valueAt(read, at + 2));
  const [step] = [valueAt(read, at)];
  const range = step > 0 ? { from: today, to: today + days } : { from: today - days, to: today };
  return { ranges: [{ ...range, weight: 1 }], length: 3 };
}

/** `last Tuesday`, `Tuesday last week`, `last week Tuesday`. */
function lastWeekday(read: Tokens, at: number, today: number): Match | null {
  const [first, second, third] = kindsAt(read, at);
  if (first === "which" && second === "weekday") {
    const step = valueAt(read, at);
    const day = valueAt(read, at + 1);
    const before = today - ((weekdayOf(today) - day + 6) % 7) - 1;
    const next = before + (day === weekdayOf(today) ? 14 : 7);
    const near = step < 0 ? before : step > 0 ? next : mondayOf(today) + ((day + 6) % 7);
    const also = step < 0 ? [{ ...oneDay(mondayOf(today) - 7 + ((day + 6) % 7)), weight: unsure }] : [];
    return { ranges: [oneDay(near), ...also], length: 2 };
  }
  const isBehind = first === "which" && second === "unit" && third === "weekday";
  const isBefore = first === "weekday" && second === "which" && third === "unit";
  const [which, unit, day] = isBehind ? [at, at + 1, at + 2] : [at + 1, at + 2, at];
  if ((!isBehind && !isBefore) || valueAt(read, unit) !== 7) return null;
  const monday = mondayOf(today) + 7 * valueAt(read, which);
  return { ranges: [oneDay(monday + ((valueAt(read, day) + 6) % 7))], length: 3 };
}

/** `last week`, `this month`, `next year`, `last weekend`. */
function relativeUnit(read: Tokens, at: number, today: number): Match | null {
  const [which, unit] = kindsAt(read, at);
  if (which !== "which" || unit !== "unit") return null;
  const [step, days] = [valueAt(read, at), valueAt(read, at + 1)];
  const monday = mondayOf(today) + 7 * step;
  const { year, month } = partsOf(today);
  if (days === 2) {
    const saturday =
      (step < 0 && weekdayOf(today) !== 0 ? monday : mondayOf(today) + 7 * Math.max(0, step)) + 5;
    return { ranges: [{ from: saturday - 1, to: saturday + 1, weight: 1 }], length: 2 };
  }
  const exact =
    days === 7
      ? { from: monday, to: monday + 6, weight: 1 }
      : days === 30
        ? monthRange(year, month + step)
        : days === 365
          ? { from: numberOf(year + step, 0, 1), to: numberOf(year + step, 11, 31), weight: 1 }
          : oneDay(today + step);
  // Who says "last week" on a Wednesday may mean the last seven days.
  const loose = {
    from: today + Math.min(0, step * days),
    to: today + Math.max(0, step * days),
    weight: unsure,
  };
  return { ranges: days < 365 && days > 1 ? [exact, loose] : [exact], length: 2 };
}

/** `last March`, `next summer`. */
function relativeMonth(read: Tokens, at: number, today: number): Match | null {
  const [which, second] = kindsAt(read, at);
  if (which !== "which" || (second !== "month" && second !== "season")) return null;
  const length = second === "month" ? 1 : 3;
  const [step, month] = [valueAt(read, at), valueAt(read, at + 1)];
  const { year } = partsOf(today);
  const years = [-1, 0, 1].map((more) => monthRange(year + more, month, length));
  const chosen =
    step < 0
      ? years.findLast(({ to }) => to < today)
      : step > 0
        ? years.find(({ from }) => from > today)
        : years[1];
  return chosen === undefined ? null : { ranges: [chosen], length: 2 };
}

/** `12 March 2026`, `March 12`, `in March`, `March 2026`, `in summer`. Without a year the last one is meant, or else one beside it. */
function dayOfMonth(read: Tokens, at: number, today: number): Match | null {
  const [first, second] = kindsAt(read, at);
  const dayFirst = first === "number" && second === "month";
  const place = dayFirst ? at + 1 : at;
  const [kind, next, after] = kindsAt(read, place);
  if (kind !== "month" && kind !== "season") return null;
  const dayBehind = !dayFirst && kind === "month" && next === "number";
  const day = dayFirst ? valueAt(read, at) : dayBehind ? valueAt(read, place + 1) : null;
  const yearPlace = place + (dayBehind ? 2 : 1);
  const hasYear = (dayBehind ? after : next) === "year";
  const isClear = day !== null || hasYear || read[at - 1]?.kind === "in";
  if (!isClear && isAlsoAnotherWord(read[place]?.word ?? "")) return null;
  const month = valueAt(read, place);
  const range = (year: number, weight: number): DayRange => ({
    ...(day === null
      ? monthRange(year, month, kind === "season" ? 3 : 1)
      : oneDay(numberOf(year, month, day))),
    weight,
  });
  const length = (hasYear ? yearPlace : yearPlace - 1) - at + 1;
  if (hasYear) return { ranges: [range(valueAt(read, yearPlace), 1)], length };
  const { year } = partsOf(today);
  const last = range(year, 1).from <= today ? year : year - 1;
  return { ranges: [range(last, 1), range(last + 1, 0.7), range(last - 1, unsure)], length };
}

/** `on Monday`: the last one or the next one. */
function weekday(read: Tokens, at: number, today: number): Match | null {
  if (kindsAt(read, at)[0] !== "weekday") return null;
  const back = (weekdayOf(today) - valueAt(read, at) + 7) % 7;
  return { ranges: [oneDay(today - back), oneDay(today - back + 7)], length: 1 };
}

/** `at the weekend`: the last one or the next one. */
function weekend(read: Tokens, at: number, today: number): Match | null {
  if (kindsAt(read, at)[0] !== "unit" || valueAt(read, at) !== 2) return null;
  const saturday = mondayOf(today) + 5;
  const of = (day: number): DayRange => ({ from: day - 1, to: day + 1, weight: 1 });
  return {
    ranges: [
      of(today >= saturday ? saturday : saturday - 7),
      of(today > saturday + 1 ? saturday + 7 : saturday),
    ],
    length: 1,
  };
}

function wholeYear(read: Tokens, at: number): Match | null {
  const year = valueAt(read, at);
  if (kindsAt(read, at)[0] !== "year") return null;
  return { ranges: [{ from: numberOf(year, 0, 1), to: numberOf(year, 11, 31), weight: 1 }], length: 1 };
}

function oneDay(day: number): DayRange {
  return { from: day, to: day, weight: 1 };
}

/** Months from the first of them; a month beyond the year is one of the next. */
function monthRange(year: number, month: number, months = 1): DayRange {
  return { from: numberOf(year, month, 1), to: numberOf(year, month + months, 0), weight: 1 };
}

function numberOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month, day) / milliseconds;
}

function partsOf(day: number): { readonly year: number; readonly month: number } {
  const date = new Date(day * milliseconds);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() };
}

function weekdayOf(day: number): number {
  return new Date(day * milliseconds).getUTCDay();
}

function mondayOf(day: number): number {
  return day - ((weekdayOf(day) + 6) % 7);
}
