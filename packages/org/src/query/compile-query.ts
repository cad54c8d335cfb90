import { parseDay } from "../agenda/agenda-day.ts";
import { readDatedTime } from "../agenda/agenda-repeat.ts";
import { leadingNumber } from "./parse-query.ts";
import type { Operator, Query, QueryValue } from "./query.ts";

/** The view of a headline that a query tests. */
export type QueryEntry = {
  readonly todo: string | null;
  readonly done: boolean;
  /** Inherited ones included. */
  readonly tags: readonly string[];
  /** True if a tag of the headline is a member of the group tag of this name. */
  readonly isOfGroup: (name: string) => boolean;
  /** A property by its upper-case name, special ones such as `ITEM`, `PRIORITY` and `DEADLINE` included; null if there is none. */
  readonly property: (name: string) => string | null;
  /** Title and own section. */
  readonly text: () => string;
};

/** The meaning of `<today>` and `<now>`: a day, `YYYY-MM-DD`, and the minutes since its midnight. */
export type QueryTime = { readonly today: string; readonly minutes: number };

/** Compiles a query to a predicate on headlines. */
export function compileQuery(query: Query, now: QueryTime): (entry: QueryEntry) => boolean {
  switch (query.kind) {
    case "all": {
      const parts = query.parts.map((part) => compileQuery(part, now));
      return (entry) => parts.every((matches) => matches(entry));
    }
    case "any": {
      const parts = query.parts.map((part) => compileQuery(part, now));
      return (entry) => parts.some((matches) => matches(entry));
    }
    case "not": {
      const matches = compileQuery(query.part, now);
      return (entry) => !matches(entry);
    }
    case "tag":
      return ({ tags, isOfGroup }) => tags.includes(query.name) || isOfGroup(query.name);
    case "tag-pattern":
      return ({ tags }) => tags.some(query.pattern.test);
    case "todo":
      return ({ todo }) => todo === query.word;
    case "todo-pattern":
      return ({ todo }) => todo !== null && query.pattern.test(todo);
    case "open":
      return ({ todo, done }) => todo !== null && !done;
    case "text": {
      const sought = query.text.toLowerCase();
      return (entry) => entry.text().toLowerCase().includes(sought);
    }
    case "property":
      return propertyMatcher(query, now);
  }
}

function propertyMatcher(
  { name, operator, required, value }: Extract<Query, { readonly kind: "property" }>,
  now: QueryTime,
): (entry: QueryEntry) => boolean {
  const compare = comparer(operator, value, now);
  return ({ property }) => {
    const found = property(name);
    return (found !== null || !required) && compare(found ?? "");
  };
}

function comparer(operator: Operator, value: QueryValue, now: QueryTime): (found: string) => boolean {
  switch (value.kind) {
    case "number":
      return (found) => holds(operator, leadingNumber(found), value.number);
    case "text":
      return (found) => holds(operator, found, value.text);
    case "pattern":
      return (found) => value.pattern.test(found) !== (operator === "<>");
    case "time": {
      const time = readTime(value.time, now);
      return (found) => {
        const own = secondsOf(found);
        return own > 0 && time > 0 && holds(operator, own, time);
      };
    }
  }
}

function holds<T extends number | string>(operator: Operator, left: T, right: T): boolean {
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case "=":
      return left === right;
    case "<>":
      return left !== right;
    case ">=":
      return left >= right;
    case ">":
      return left > right;
  }
}

const secondsOfDay = 86_400;
const secondsOf1: ReadonlyMap<string, number> = new Map([
  ["h", 3600],
  ["d", secondsOfDay],
  ["w", 7 * secondsOfDay],
  ["m", 31 * secondsOfDay],
  ["y", 365.25 * secondsOfDay],
]);

/** The seconds since 1970 of a time in a query; 0 if it cannot be read. */
function readTime(written: string, { today, minutes }: QueryTime): number {
  const start = (parseDay(today) ?? 0) * secondsOfDay;
  const now = start + minutes * 60;
  const word = /^[[<](now|today|tomorrow|yesterday)[\]>]$/.exec(written)?.[1];
  if (word !== undefined) {
    return word === "now"
      ? now
      : start + (word === "today" ? 0 : word === "tomorrow" ? 1 : -1) * secondsOfDay;
  }
  const shift = /^[[<]([-+]\d+)([hdmwy])[\]>]$/.exec(written);
  if (shift !== null) {
    const unit = shift[2] ?? "d";
    return (unit === "h" ? now : start) + Number(shift[1]) * (secondsOf1.get(unit) ?? 0);
  }
  return secondsOf(written);
}

/** The seconds since 1970 of a timestamp, as if it were UTC; 0 where there is none. */
function secondsOf(written: string): number {
  const dated = readDatedTime(written);
  return dated === null ? 0 : dated.start * secondsOfDay + dated.hour * 3600 + dated.minute * 60;
}
