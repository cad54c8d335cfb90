import assert from "node:assert/strict";
import { test } from "node:test";
import { scanOutline } from "./scan-outline.ts";
import { findTimestamps, parseTimestamp } from "./scan-timestamp.ts";

const moment = (
  year: number,
  month: number,
  day: number,
  hour: number | null = null,
  minute: number | null = null,
) => ({
  year,
  month,
  day,
  hour,
  minute,
});

test("a timestamp is read with its ends, its repeater and its warning", () => {
  assert.deepEqual(parseTimestamp("<2024-01-15 Mon 10:00-11:30 .+2d/4d --3w>", 0), {
    begin: 0,
    end: 41,
    kind: "active-range",
    raw: "<2024-01-15 Mon 10:00-11:30 .+2d/4d --3w>",
    start: moment(2024, 1, 15, 10, 0),
    last: moment(2024, 1, 15, 11, 30),
    repeater: { type: "restart", value: 2, unit: "day", deadline: { value: 4, unit: "day" } },
    warning: { type: "first", value: 3, unit: "week" },
  });
});

test("what stands between two dates, and in which language, makes no difference", () => {
  for (const day of ["", " Mon", " Mo.", " 月", " понедельник", " lun. 7:05"]) {
    const stamp = parseTimestamp(`[2024-01-15${day}]--[2024-02-01${day}]`, 0);
    assert.equal(stamp?.kind, "inactive-range");
    assert.deepEqual([stamp?.start.day, stamp?.last.month, stamp?.last.day], [15, 2, 1]);
  }
  assert.equal(parseTimestamp("<2024-01-15> -- <2024-01-16>", 0)?.kind, "active");
});

test("what is no timestamp is none", () => {
  for (const text of [
    "<2024-1-15>",
    "<2024-01-15",
    "<2024-01-15Mon>",
    "<24-01-15>",
    "2024-01-15",
    "<2024-01-15 \n>",
    "<%%()>",
  ]) {
    assert.equal(parseTimestamp(text, 0), null, text);
  }
  assert.equal(parseTimestamp("<2024-01-15 Mon>", 0, 10), null);
});

test("a diary expression is kept as it is, with its time, and never evaluated", () => {
  const stamp = parseTimestamp("<%%(diary-float t 1 2) 10:00-11:30>", 0);
  assert.deepEqual(
    [stamp?.kind, stamp?.start, stamp?.last],
    ["diary", moment(0, 0, 0, 10, 0), moment(0, 0, 0, 11, 30)],
  );
});

test("a unit in upper case is a year in text, and in a planning line none, as in Emacs", () => {
  const text = "* a\nDEADLINE: <2024-01-15 +1W>\n<2024-01-15 +1W>\n";
  assert.equal(scanOutline(text).headlines[0]?.planning?.deadline?.repeater, null);
  const [, inText] = findTimestamps(text, { begin: 0, end: text.length });
  assert.deepEqual(inText?.repeater, { type: "cumulate", value: 1, unit: "year", deadline: null });
});

test("all timestamps of a range are found, from left to right", () => {
  const text = "<2024-01-15 <%%(x <2024-01-16>, [2024-01-17 Wed] <%%(f 1)> <2024-01-18";
  const found = findTimestamps(text, { begin: 0, end: text.length }).map(({ raw }) => raw);
  assert.deepEqual(found, ["<2024-01-15 <%%(x <2024-01-16>", "[2024-01-17 Wed]", "<%%(f 1)>"]);
  assert.deepEqual(
    findTimestamps(text, { begin: 10, end: 40 }).map(({ raw }) => raw),
    ["<2024-01-16>"],
  );
});
