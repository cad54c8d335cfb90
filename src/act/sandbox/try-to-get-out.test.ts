import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findSandbox } from "./bubblewrap.ts";
import { tryToGetOut } from "./try-to-get-out.ts";

test("what tries to get out of the sandbox is told when a way is open, and only then", async (t) => {
  const sandbox = await findSandbox();
  if (sandbox === null) return t.skip("needs bubblewrap");
  const outside = fileURLToPath(import.meta.url);
  assert.equal(await tryToGetOut(sandbox, outside), null);
  assert.match((await tryToGetOut(sandbox, "/usr/bin/env")) ?? "", /sees files of yours/);
  const leaky = { ...sandbox, argv: (argv: readonly string[]) => argv };
  assert.match((await tryToGetOut(leaky, outside)) ?? "", /sees files of yours/);
});
