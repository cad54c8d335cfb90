import assert from "node:assert/strict";
import { test } from "node:test";
import { readNamedDays } from "./relative-days.ts";

/** Wednesday. */
const now = new Date(2026, 10, 18, 9, 15).getTime();

/** The first range of days that a question names, as dates. */
function named(question: string): string | null {
  const [range] = readNamedDays(question, now).ranges;
  if (range === undefined) return null;
  const day = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);
  return range.from === range.to ? day(range.from) : `${day(range.from)} ${day(range.to)}`;
}

test("days beside today are named in English, German, Dutch, Japanese and Chinese", () => {
  for (const words of [
    "what did we eat yesterday",
    "was gab es gestern?",
    "wat was er gisteren",
    "昨日の会議",
    "昨天吃了什么",
    "who rang last night",
  ]) {
    assert.equal(named(words), "2026-11-17", words);
  }
  assert.equal(named("vorgestern"), "2026-11-16");
  assert.equal(named("the day before yesterday"), "2026-11-16");
  assert.equal(named("the day after tomorrow"), "2026-11-20");
  assert.equal(named("appointments tomorrow"), "2026-11-19");
  assert.equal(named("was steht heute an"), "2026-11-18");
});

test("spans beside now are named", () => {
  assert.equal(named("notes from last week"), "2026-11-09 2026-11-15");
  assert.equal(named("letzte Woche"), "2026-11-09 2026-11-15");
  assert.equal(named("wat deed ik vorige week"), "2026-11-09 2026-11-15");
  assert.equal(named("先週の出張"), "2026-11-09 2026-11-15");
  assert.equal(named("this month"), "2026-11-01 2026-11-30");
  assert.equal(named("nächsten Monat"), "2026-12-01 2026-12-31");
  assert.equal(named("last year"), "2025-01-01 2025-12-31");
  assert.equal(named("last weekend"), "2026-11-13 2026-11-15");
  assert.equal(named("what did I do at the weekend"), "2026-11-13 2026-11-15");
  assert.equal(named("neulich im Büro"), "2026-11-04 2026-11-18");
  assert.equal(named("the past three days"), "2026-11-15 2026-11-18");
});

test("days and weeks ago are named, further back less exactly", () => {
  assert.equal(named("two days ago"), "2026-11-16");
  assert.equal(named("vor drei Tagen"), "2026-11-15");
  assert.equal(named("een week geleden"), "2026-11-07 2026-11-15");
  assert.equal(named("a fortnight ago"), "2026-10-28 2026-11-11");
  assert.equal(named("a month ago"), "2026-10-04 2026-11-03");
});

test("weekdays are those before or after, as the words say", () => {
  assert.equal(named("last Tuesday"), "2026-11-17");
  assert.equal(named("letzten Samstag"), "2026-11-14");
  assert.equal(named("vorige week dinsdag"), "2026-11-10");
  assert.equal(named("Tuesday last week"), "2026-11-10");
  assert.equal(named("next Friday"), "2026-11-20");
  assert.equal(named("on Monday"), "2026-11-16");
});

test("months and seasons are the last ones, and those of a year where one is named", () => {
  assert.equal(named("which concert in March"), "2026-03-01 2026-03-31");
  assert.equal(named("im Dezember"), "2025-12-01 2025-12-31");
  assert.equal(named("in maart 2025"), "2025-03-01 2025-03-31");
  assert.equal(named("12 March"), "2026-03-12");
  assert.equal(named("March 12th, 2025"), "2025-03-12");
  assert.equal(named("am 3. Oktober 2025"), "2025-10-03");
  assert.equal(named("2025-10-03"), "2025-10-03");
  assert.equal(named("10月の旅行"), "2026-10-01 2026-10-31");
  assert.equal(named("三月的音乐会"), "2026-03-01 2026-03-31");
  assert.equal(named("was war am 3.10.2025"), "2025-10-03");
  assert.equal(named("last summer"), "2026-06-01 2026-08-31");
  assert.equal(named("in 2025"), "2025-01-01 2025-12-31");
});

test("words that are not of a time name no days", () => {
  for (const words of [
    "may I see the plan",
    "the march of the ants",
    "spring rolls",
    "two cats",
    "call Anna",
  ]) {
    assert.equal(named(words), null, words);
  }
});
