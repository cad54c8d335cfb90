import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openOverlay } from "../sandbox/overlay.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { findDifference } from "./difference.ts";
import { withoutCaches } from "./left-caches.ts";

const before = [
  "doc.txt",
  "docs/one.txt",
  ".pytest_cache/last",
  "node_modules/.cache/x",
  "m.pyc",
  "keep.txt",
];

/** What is left of the changes that a script makes in a workspace whose own path has the name of a cache. */
const scripts: readonly (readonly [script: string, changed: readonly string[]])[] = [
  [
    "mkdir __pycache__; echo 1 > __pycache__/m.pyc; echo 2 > .pytest_cache/last; echo 3 > .pytest_cache/n",
    [],
  ],
  [
    "mkdir node_modules/.vite; echo 1 > node_modules/.vite/deps; echo 2 > node_modules/.package-lock.json",
    [],
  ],
  ["mkdir __pycache__; mv doc.txt __pycache__/m.pyc", ["__pycache__", "doc.txt"]],
  ["mv docs .pytest_cache/docs", [".pytest_cache/docs", "docs"]],
  ["cat doc.txt > .pytest_cache/n; rm doc.txt", [".pytest_cache/n", "doc.txt"]],
  ["ln keep.txt .pytest_cache/n", [".pytest_cache/n"]],
  ["rm -r .pytest_cache node_modules/.cache/x", [".pytest_cache", "node_modules/.cache/x"]],
  ["mv doc.txt doc.pyc; echo 2 > m.pyc", ["doc.pyc", "doc.txt", "m.pyc"]],
];

test("only what a program made anew in a cache below the workspace is left out of what it changed", async (t) => {
  const root = await makeScratchFolder(t);
  for (const [index, [script, changed]] of scripts.entries()) {
    const workspace = join(root, `${index}`, ".mypy_cache", "work");
    for (const name of before) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), `held by ${name}`);
      utimesSync(join(workspace, name), 1_000, 1_000);
    }
    const opened = await openOverlay(workspace, join(root, "state"));
    assert.ok(typeof opened !== "string", String(opened));
    await using overlay = opened;
    const [program = "", ...enter] = overlay.enter;
    execFileSync(program, [...enter, "/bin/sh", "-ec", `cd ${workspace}; ${script}`], { cwd: "/" });
    const found = await findDifference(overlay);
    const left = await withoutCaches(found, { overlay, line: "python3 run" });
    const names = left.exchanges.map(({ path }) => path.slice(workspace.length + 1)).sort();
    assert.deepEqual(names, changed, script);
    if (index === 0) {
      const named = await withoutCaches(found, { overlay, line: "cp x .pytest_cache/last" });
      assert.equal(named.exchanges.length, 2);
    }
  }
});
