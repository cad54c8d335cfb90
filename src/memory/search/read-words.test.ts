import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWordReader } from "./read-words.ts";

/** Milliseconds of the processor; the least of three, so that what else the machine does counts little. */
function costOf(text: string): number {
  const once = (): number => {
    const before = process.cpuUsage();
    makeWordReader()(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(once(), once(), once());
}

for (const word of ["y", "yy-", "aY", "s", "a_", "\u0301", "字"]) {
  test(`a run of ${JSON.stringify(word)} without an end costs no more than its length`, () => {
    const small = costOf(word.repeat(20_000 / word.length));
    const large = costOf(word.repeat(160_000 / word.length));
    assert.ok(large < Math.max(24 * small, 150), `${small} ms became ${large} ms`);
  });
}
