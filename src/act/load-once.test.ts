import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOnce } from "./load-once.ts";

test("a module is loaded once, and again only after a load that failed", async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error("the disk is gone");
    return loads;
  });
  await assert.rejects(load(), /the disk is gone/);
  assert.equal(await load(), 2);
  assert.equal(await load(), 2);
});
