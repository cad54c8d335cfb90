import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** What an ordinary user finds: root could look into everything. */
function foundAsUser(folder: string): readonly string[] {
  const module = JSON.stringify(new URL("./later-paths.ts", import.meta.url).href);
  const program = `const { findLaterPaths } = await import(${module});
    console.log(JSON.stringify([...(await findLaterPaths(${JSON.stringify(folder)})).named.keys()]));`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const found: unknown = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], { ...user, encoding: "utf8" }),
  );
  assert.ok(Array.isArray(found));
  return found.map(String);
}

test("a folder that cannot be looked into counts as a whole, so that nothing is hidden in it", (t) => {
  const root = mkdtempSync(join(tmpdir(), "passepartout-later-"));
  chmodSync(root, 0o755);
  const [closed, listed] = [join(root, "closed"), join(root, "listed")];
  for (const folder of [closed, listed]) {
    mkdirSync(folder);
    writeFileSync(join(folder, ".envrc"), "");
  }
  chmodSync(closed, 0o000);
  chmodSync(listed, 0o444);
  t.after(() => {
    for (const folder of [closed, listed]) chmodSync(folder, 0o755);
    rmSync(root, { recursive: true, force: true });
  });
  assert.deepEqual(foundAsUser(root).toSorted(), [closed, listed]);
});
