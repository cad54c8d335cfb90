import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFuzz, fuzz } from "./fuzz.ts";

test("20,000 mutated frames are taken or refused in words, and nothing throws, hangs or grows", (t) => {
  const report = fuzz({ count: 20_000, seed: 1 });
  for (const line of describeFuzz(report).split("\n")) t.diagnostic(line);
  for (const code of [
    "unreadable",
    "unknown-key",
    "refused-key",
    "ill-formed-text",
    "cut-off",
    "bad-header",
  ]) {
    assert.ok(report.refused.has(code), `no mutation came to ${code}`);
  }
  assert.ok(report.taken > 100);
  assert.ok(report.peak < 256_000_000, `memory grew by ${report.peak} bytes`);
});
