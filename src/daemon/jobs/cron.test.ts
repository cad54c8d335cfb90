import assert from "node:assert/strict";
import { test } from "node:test";
import { readSchedule } from "./cron.ts";

const minute = 60_000;
const day = 1440 * minute;

/** What the clocks of a zone show each minute from one time to another, found by asking for each. */
function clocksOf(
  zone: string,
  from: number,
  to: number,
): readonly (readonly [instant: number, shown: number])[] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return Array.from({ length: (to - from) / minute }, (_, at) => {
    const instant = from + at * minute;
    return [instant, Date.parse(`${format.format(instant).replace(" ", "T")}Z`)] as const;
  });
}

/** Whether a field such as `1-3,5` or `0-30/10` has a value. */
function hasValue(field: string, value: number): boolean {
  return field.split(",").some((part) => {
    const [range = "", step = "1"] = part.split("/");
    const [low = 0, high = low] = range === "*" ? [0, 59] : range.split("-").map(Number);
    return value >= low && value <= high && (value - low) % Number(step) === 0;
  });
}

/** The instants that an expression for each day should have: times that are given once, intervals as the clock shows them. */
function expectedOf(expression: string, clocks: ReturnType<typeof clocksOf>): readonly number[] {
  const [minutes = "", hours = ""] = expression.split(" ");
  const isDue = (shown: number): boolean =>
    hasValue(minutes, new Date(shown).getUTCMinutes()) && hasValue(hours, new Date(shown).getUTCHours());
  if (/^\*|^\S+ \*/.test(expression))
    return clocks.flatMap(([instant, shown]) => (isDue(shown) ? [instant] : []));
  const instants = new Set<number>();
  let local = clocks[0]?.[1] ?? 0;
  for (const [at, [instant, shown]] of clocks.entries())
    for (; local <= shown; local += minute) {
      const isDayLeftOut = shown - (clocks[at - 1]?.[1] ?? shown) > day;
      if (isDue(local) && (shown === local || !isDayLeftOut)) instants.add(instant);
    }
  return [...instants];
}

const expressions = [
  "30 2 * * *",
  "0 0 * * *",
  "15 1,13 * * *",
  "30 0-3 * * *",
  "5,35 0-3,23 * * *",
  "59 23 * * *",
  "*/20 * * * *",
  "10 */2 * * *",
  "*/15 1-2 * * *",
];

/** Changes of the clocks: by an hour and half of it, at night and at midnight, back and on, and one of a day. */
const changes = [
  ["Europe/Dublin", "2026-03-29T01:00Z"],
  ["Europe/Dublin", "2026-10-25T01:00Z"],
  ["America/Santiago", "2026-04-05T03:00Z"],
  ["America/Santiago", "2026-09-06T04:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
  ["Africa/Casablanca", "2026-02-15T02:00Z"],
  ["Africa/Casablanca", "2026-03-22T02:00Z"],
  ["Antarctica/Troll", "2026-10-25T01:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00Z"],
] as const;

test("where clocks change, each given time has exactly one instant, and an interval those that the clock shows", () => {
  for (const [zone, at] of changes) {
    const [from, to] = [Date.parse(at) - day, Date.parse(at) + day];
    const clocks = clocksOf(zone, from, to);
    for (const expression of expressions) {
      const read = readSchedule(expression, zone);
      assert.ok(read.ok);
      const expected = expectedOf(expression, clocks);
      const found: number[] = [];
      for (let next = read.next(from - 1); next !== null && next < to; next = read.next(next))
        found.push(next);
      const times = (instants: readonly number[]) =>
        instants.map((instant) => new Date(instant).toISOString());
      assert.deepEqual(times(found), times(expected), `${expression} in ${zone} at ${at}`);
      // The next instant is the same from wherever it is asked for.
      for (let asked = from; asked < to; asked += 67 * minute + 137)
        assert.equal(read.next(asked) ?? to, expected.find((instant) => instant > asked) ?? read.next(asked));
    }
  }
});
