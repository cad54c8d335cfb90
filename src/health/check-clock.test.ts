import assert from "node:assert/strict";
import { test } from "node:test";
import { checkClock, checkZone, nothingRecorded } from "./check-clock.ts";

test("a clock that is behind what was recorded is told, by how much and with what to do", () => {
  const last = Date.parse("2027-03-04T10:00:00Z");
  const at = (now: number) => checkClock(now, { last, latest: last });
  assert.equal(at(last + 1).result, "ok");
  assert.equal(at(last - 60_000).result, "ok");
  const behind = at(last - 7_200_000);
  assert.equal(behind.result, "finding");
  assert.match(behind.text, /2 h behind the last entry of the journal.*timedatectl/);
  assert.match(checkClock(0, nothingRecorded).text, /behind this version of the program/);
});

test("what was recorded while the clock was ahead is told, also once later entries have the right time", () => {
  const now = Date.parse("2027-03-04T10:00:00Z");
  const { result, text } = checkClock(now, { last: now - 1_000, latest: now + 86_400_000 * 730 });
  assert.equal(result, "finding");
  assert.match(text, /up to 730 days ahead of the clock .* nothing is to be done/);
});

test("a TZ that names no zone that is known, such as the rules of POSIX, is a finding with what the clock shows", () => {
  const [found] = checkZone("CET-1CEST,M3.5.0,M10.5.0/3", "UTC");
  assert.equal(found?.result, "finding");
  assert.match(found?.text ?? "", /no time zone that is known here, so all times are UTC\. Set TZ to a name/);
  for (const zone of ["europe/berlin", "+02:00", " Europe/Berlin"])
    assert.equal(checkZone(zone, "UTC").length, 1, zone);
  for (const zone of ["Europe/Berlin", "US/Eastern", "Asia/Kolkata", "Etc/UTC", "utc"])
    assert.deepEqual(checkZone(zone, "UTC"), [], zone);
  assert.deepEqual(checkZone(undefined, "UTC"), []);
});
