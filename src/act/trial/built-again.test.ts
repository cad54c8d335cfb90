import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeBuiltAgainTest } from "./built-again.ts";

/** A work tree in which git tracks one file in a folder for builds. */
function workTree(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), "built-again-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const name of ["build/docs/parts", "build/made"]) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, "build/docs/parts/plan.md"), "plan\n");
  for (const args of [
    ["init", "-q"],
    ["add", "."],
  ])
    execFileSync("git", ["-C", root, ...args]);
  return root;
}

test("a folder with files that git tracks is not made again by a build", async (t) => {
  const root = workTree(t);
  const isBuiltAgain = makeBuiltAgainTest(root);
  assert.equal(await isBuiltAgain(join(root, "build/docs/parts/plan.md")), false);
  assert.equal(await isBuiltAgain(join(root, "build/docs/parts")), false);
  assert.equal(await isBuiltAgain(join(root, "build/docs")), false);
  assert.equal(await isBuiltAgain(join(root, "build/made")), true);
  assert.equal(await isBuiltAgain(join(root, "build/docs/pa")), true);
});

test("the work tree of a folder is looked for once", async (t) => {
  const root = workTree(t);
  const isBuiltAgain = makeBuiltAgainTest(root);
  assert.equal(await isBuiltAgain(join(root, "build/docs/other.md")), true);
  rmSync(join(root, ".git"), { recursive: true });
  assert.equal(await isBuiltAgain(join(root, "build/docs/parts/plan.md")), false);
});
