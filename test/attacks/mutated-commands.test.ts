import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzCommands } from "./fuzz-commands.ts";

test("no dangerous command passes, in whatever form it is written", async () => {
  assert.deepEqual(await fuzzCommands({ count: 1_000, seed: 20_261_122 }), []);
});
