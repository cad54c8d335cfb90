import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { extentOf, findSet } from "./extent.ts";

test("the files of a folder are counted, however many there are, and the first are shown", async (t) => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "passepartout-extent-")));
  t.after(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, "parts"));
  for (let file = 0; file < 1_200; file += 1) writeFileSync(join(cwd, "parts", `${file}`), "");
  const worded = [
    { path: join(cwd, "parts"), written: "parts", tree: true, how: "delete", exists: true } as const,
  ];
  const by = { cwd, cmd: "rm -rf parts", words: ["tidy up"], mayLook: true };
  const set = await findSet({ ...by, argv: ["rm", "-rf", "parts"], before: [], worded });
  assert.ok(set !== null && set.items !== null);
  const extent = await extentOf({ ...set, items: set.items }, by);
  assert.deepEqual([extent?.count, extent?.unnamed, extent?.shown.length], [1_200, 1_200, 20]);
});
