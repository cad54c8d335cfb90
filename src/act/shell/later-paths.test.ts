import assert from "node:assert/strict";
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findLaterPaths } from "./later-paths.ts";

test("packages that are hard links to a store are locked as one folder, and their other names in the workspace one by one", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "passepartout-later-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [store, workspace] = [join(root, "store"), join(root, "workspace")];
  mkdirSync(store);
  mkdirSync(join(workspace, "node_modules", "one"), { recursive: true });
  for (let number = 0; number < 50; number += 1) {
    writeFileSync(join(store, `${number}.js`), "");
    linkSync(join(store, `${number}.js`), join(workspace, "node_modules", "one", `${number}.js`));
  }
  linkSync(join(store, "7.js"), join(workspace, "copy.js"));
  const { named, more } = await findLaterPaths(workspace);
  assert.deepEqual([...named.keys()], [join(workspace, "node_modules")]);
  assert.deepEqual(more, [join(workspace, "copy.js")]);
});
