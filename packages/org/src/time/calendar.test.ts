import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseTimestamp } from "../outline/scan-timestamp.ts";
import { dayNumber, dayOfNumber, moveMoment, printMoment, printTimestamp, weekday } from "./calendar.ts";

const at = (year: number, month: number, day: number, hour: number | null = null) => ({
  year,
  month,
  day,
  hour,
  minute: hour === null ? null : 0,
});

test("every day has a number of its own, and the next day the next number", () => {
  fc.assert(
    fc.property(fc.integer({ min: -800_000, max: 2_900_000 }), (number) => {
      assert.equal(dayNumber(dayOfNumber(number)), number);
      assert.equal((weekday(number) + 1) % 7, weekday(number + 1));
    }),
  );
  assert.equal(dayNumber({ year: 1970, month: 1, day: 1 }), 0);
  assert.equal(dayNumber({ year: 99, month: 1, day: 1 }) - dayNumber({ year: 98, month: 12, day: 31 }), 1);
});

test("a month too short goes on into the next one, as in Emacs", () => {
  assert.equal(printMoment(moveMoment(at(2024, 1, 31), 1, "month")), "2024-03-02 Sat");
  assert.equal(printMoment(moveMoment(at(2024, 2, 29), 1, "year")), "2025-03-01 Sat");
  assert.equal(printMoment(moveMoment(at(2024, 12, 31, 23), 2, "hour")), "2025-01-01 Wed 01:00");
  assert.equal(printMoment(moveMoment(at(2024, 3, 1), -1, "week")), "2024-02-23 Fri");
});

test("a timestamp in Emacs's own form is printed as it is written", () => {
  for (const written of [
    "<2024-01-15 Mon>",
    "[2024-01-15 Mon 10:00]",
    "<2024-01-15 Mon 10:00-12:30 +1w>",
    "<2024-01-15 Mon>--<2024-01-17 Wed>",
    "[2024-01-15 Mon 10:00]--[2024-01-17 Wed 09:05]",
    "<2024-01-15 Mon .+1d/3d --2d>",
    "<2024-01-15 Mon ++1m -3d>",
    "<%%(org-float 1 1 1) 10:00>",
  ]) {
    const stamp = parseTimestamp(written, 0);
    assert.equal(stamp === null ? null : printTimestamp(stamp), written);
  }
});
