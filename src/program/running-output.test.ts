import assert from "node:assert/strict";
import { test } from "node:test";
import { RunningOutput } from "./running-output.ts";

test("each line that a call prints is shown once, when it is complete, at most once a second, and what was missed is marked", () => {
  const time = { now: 0 };
  const output = new RunningOutput(() => time.now);
  assert.deepEqual(output.take("a", "one\ntwo\nthr"), ["one", "two"]);
  time.now = 500;
  assert.deepEqual(output.take("a", "one\ntwo\nthree\nfour"), []);
  time.now = 1_000;
  assert.deepEqual(output.take("a", "two\nthree\nfour\nfive"), ["three", "four"]);
  assert.deepEqual(output.take("b", "other"), []);
  time.now = 2_000;
  assert.deepEqual(output.take("a", "ninety\nninety-one\n"), ["…", "ninety", "ninety-one"]);
  assert.deepEqual(output.take("a", "ninety-one\nlast"), []);
  assert.deepEqual(output.end("a"), ["last"]);
  assert.deepEqual(output.end("a"), []);
  assert.deepEqual(output.end("b"), ["other"]);
});
