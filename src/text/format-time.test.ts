import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime, formatTokens } from "./format-time.ts";

const here = { now: Date.UTC(2026, 10, 22, 19, 30), zoneMinutes: 60 };

test("a time is local, and relative within a day", () => {
  const at = (...[year = 0, month = 0, ...rest]: readonly number[]): string =>
    formatTime(Date.UTC(year, month, ...rest), here);
  assert.deepEqual(
    [
      at(2026, 10, 22, 8, 5),
      at(2026, 10, 22, 23, 40),
      at(2026, 10, 21, 22, 59),
      at(2026, 11, 3, 9),
      at(2025, 1, 28),
    ],
    ["09:05", "tomorrow at 00:40", "yesterday at 23:59", "3 Dec", "28 Feb 2025"],
  );
});

test("each day of a century has its date", () => {
  const months = new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" });
  for (let day = 0; day < 36_525; day += 1) {
    const at = day * 86_400_000;
    const date = new Date(at);
    const shown = formatTime(at, { now: Date.UTC(2200, 0), zoneMinutes: 0 });
    assert.equal(shown, `${date.getUTCDate()} ${months.format(date)} ${date.getUTCFullYear()}`);
  }
});

test("tokens take few characters", () => {
  assert.deepEqual([0, 999, 1000, 1449, 32_000].map(formatTokens), ["0", "999", "1k", "1.4k", "32k"]);
});
