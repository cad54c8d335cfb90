import assert from "node:assert/strict";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileSystemId } from "../../act/files/file-system-id.ts";
import { openSampleState } from "../../memory/state/samples.fixture.ts";
import { makeFolderTrust } from "./folder-trust.ts";

function madeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "folder-trust-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a folder is trusted, and no other one that takes its place", async (t) => {
  const root = madeFolder(t);
  const place = join(root, "garden");
  mkdirSync(place);
  await using state = await openSampleState(join(root, "state"));
  const { trust, isTrusted } = makeFolderTrust(state.trustedFolders);
  assert.deepEqual([await trust(place), await isTrusted(place, place)], [null, true]);
  rmSync(place, { recursive: true });
  assert.deepEqual([await trust(place), await isTrusted(place, place)], ["no-folder", false]);
  mkdirSync(place);
  assert.equal(await isTrusted(place, place), false);
});

if (process.platform === "linux")
  test("where a file system says neither when a folder was made nor which disk it is, nothing is trusted, also not by an older trust", async (t) => {
    const place = "/proc/self/task";
    const { dev, ino, birthtimeNs } = lstatSync(place, { bigint: true });
    assert.equal(birthtimeNs, 0n);
    await using state = await openSampleState(join(madeFolder(t), "state"));
    const { trust, isTrusted } = makeFolderTrust(state.trustedFolders);
    assert.deepEqual([await trust(place), await isTrusted(place, place)], ["no-identity", false]);
    await state.trustedFolders.trust(place, `folder ${dev} ${ino} 0`);
    assert.equal(await isTrusted(place, place), false);
  });

test("a file system has the id under which the system lists its device", async (t) => {
  const root = madeFolder(t);
  symlinkSync("/dev/zero", join(root, "61D2-A4B3"));
  symlinkSync("/dev/null", join(root, "4E21F3C7A5D08B96"));
  symlinkSync("/dev/gone", join(root, "0000-0000"));
  assert.equal(await fileSystemId(statSync("/dev/null").rdev, root), "4E21F3C7A5D08B96");
  assert.equal(await fileSystemId(statSync(root).dev, root), null);
  assert.equal(await fileSystemId(1, join(root, "none")), null);
});
