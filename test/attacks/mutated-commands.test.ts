import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzCommands } from "./fuzz-commands.ts";

/** As many as a short run can judge; `npm run fuzz:shell` takes as many as it is told. */
const count = 150;

test("no dangerous command passes, in whatever form it is written", async () => {
  assert.deepEqual(await fuzzCommands({ count, seed: 20_261_122 }), []);
});
