import assert from "node:assert/strict";
import { test } from "node:test";
import { checkClock } from "./check-clock.ts";

test("a clock that is behind what was recorded is told, by how much and with what to do", () => {
  const last = Date.parse("2027-03-04T10:00:00Z");
  assert.equal(checkClock(last + 1, last).result, "ok");
  assert.equal(checkClock(last - 60_000, last).result, "ok");
  const behind = checkClock(last - 7_200_000, last);
  assert.equal(behind.result, "finding");
  assert.match(behind.text, /2 h behind the last entry of the journal.*timedatectl/);
  assert.match(checkClock(0, null).text, /behind this version of the program/);
});
