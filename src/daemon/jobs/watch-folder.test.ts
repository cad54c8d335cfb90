import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { folderPlace } from "./watch-folder.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "watch-folder-")));
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

test("a folder that vanishes, or becomes a link to another one, tells of nothing and says so once; back again, it is watched again", async () => {
  const folder = join(root, "mine");
  const secrets = join(root, "secrets");
  for (const [path, file] of [
    [folder, "a.txt"],
    [secrets, "diary.txt"],
  ] as const) {
    mkdirSync(path);
    writeFileSync(join(path, file), "1");
  }
  const reports: string[] = [];
  const place = folderPlace(folder, (message) => void reports.push(message));
  const watch = place.watch(() => undefined);
  const names = async () => [...((await place.list()) ?? new Map([["(gone)", ""]]))].map(([name]) => name);
  assert.deepEqual(await names(), ["a.txt"]);
  renameSync(folder, join(root, "moved"));
  assert.deepEqual(await names(), ["(gone)"]);
  symlinkSync(secrets, folder);
  assert.deepEqual(await names(), ["(gone)"]);
  assert.equal(watch.isWatching(), false);
  assert.deepEqual(reports, [`${folder} is gone, so no change in it begins a job.`]);
  rmSync(folder);
  writeFileSync(folder, "a file");
  assert.deepEqual(await names(), ["(gone)"]);
  rmSync(folder);
  renameSync(join(root, "moved"), folder);
  assert.deepEqual(await names(), ["a.txt"]);
  assert.equal(watch.isWatching(), true);
  watch.close();
});
