import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { keepBuild } from "./keep-build.ts";

function installation(t: TestContext): { readonly root: string; readonly home: string } {
  const folder = mkdtempSync(join(tmpdir(), "keep-build-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "installed");
  mkdirSync(join(root, "dist"), { recursive: true });
  install(root, "one");
  return { root, home: join(folder, "home") };
}

function install(root: string, id: string): void {
  writeFileSync(join(root, "dist", "app.js"), id);
  const manifest = { id, version: "1.0.0", database: 1, files: { "dist/app.js": id.length } };
  writeFileSync(join(root, "dist", "build.json"), JSON.stringify(manifest));
}

test("the folders of a kept build can be entered by the sandbox of another user, as root over a clone of its owner is one", (t) => {
  const umask = process.umask(0o022);
  t.after(() => process.umask(umask));
  const { root, home } = installation(t);
  const kept = keepBuild(root, { HOME: home });
  assert.ok(kept !== null);
  for (const folder of [kept.folder, dirname(kept.folder), join(kept.folder, "dist")])
    assert.equal(statSync(folder).mode & 0o055, 0o055, folder);
});

test("what a kill left of a half-made build is removed with the next update, and one that is made now stays", (t) => {
  const { root, home } = installation(t);
  const kept = keepBuild(root, { HOME: home });
  assert.ok(kept !== null);
  const [old, young] = [`${kept.folder}x.123456`, `${kept.folder}y.123457`];
  for (const folder of [old, young]) mkdirSync(folder);
  utimesSync(old, 1, 1);
  install(root, "two");
  assert.ok(keepBuild(root, { HOME: home }) !== null);
  assert.equal(statSync(old, { throwIfNoEntry: false }), undefined);
  assert.ok(statSync(young).isDirectory());
});
