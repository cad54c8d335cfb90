import assert from "node:assert/strict";
import { test } from "node:test";
import { entryIfThere, statusIfThere } from "./status-if-there.ts";

test("only what is missing has no status; where nobody can look, that is a fault", async () => {
  for (const look of [statusIfThere, entryIfThere]) {
    assert.equal(await look("/nowhere/at/all"), null);
    assert.equal((await look("/usr"))?.isDirectory(), true);
    await assert.rejects(async () => look("/usr\0"), { code: "ERR_INVALID_ARG_VALUE" });
  }
});
