import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { folderPlace } from "./watch-folder.ts";

const root = mkdtempSync(join(tmpdir(), "watch-folder-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("a real folder tells of files that are made, changed and deleted, also in new folders, and not of hidden ones", async () => {
  const folder = join(root, "real");
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, "a.txt"), "1");
  const place = folderPlace(folder, (message) => assert.fail(message));
  const poked = Promise.withResolvers<void>();
  const watch = place.watch(() => poked.resolve());
  assert.deepEqual(
    [...((await place.list()) ?? [])].map(([name]) => name),
    ["a.txt"],
  );
  mkdirSync(join(folder, "new/deep"), { recursive: true });
  await poked.promise;
  await place.list();
  writeFileSync(join(folder, "new/deep/b.txt"), "1");
  writeFileSync(join(folder, ".git/x"), "1");
  rmSync(join(folder, "a.txt"));
  assert.deepEqual(
    [...((await place.list()) ?? [])].map(([name]) => name),
    ["new/deep/b.txt"],
  );
  assert.equal(watch.isWatching(), true);
  watch.close();
});
