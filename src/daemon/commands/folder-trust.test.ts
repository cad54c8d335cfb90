import assert from "node:assert/strict";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileSystemId } from "../../act/files/file-system-id.ts";
import { identifyFolderForSure } from "../../act/files/identify.ts";
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
  if ((await identifyFolderForSure(place)) === null) return t.skip("the disk says no birth, and has no id");
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
  const none = join(root, "none");
  assert.equal(await fileSystemId(1, none, none), null);
});

test("a share that the system lists no id of has its source as its id, unless that may be another disk", async (t) => {
  const root = madeFolder(t);
  const [mounts, none] = [join(root, "mountinfo"), join(root, "none")];
  const shares = [
    "nfs4 box:/home",
    "9p C:\\134",
    "virtiofs host0",
    "fuse.sshfs ada@box:",
    "tmpfs tmpfs",
    "vfat /dev/sdb1",
    "9p D:\\134",
    "9p drvfs",
    "virtiofs none",
  ];
  const lines = shares.map((share, at) => `${at} 1 0:${at + 300} / /mnt/${at} rw shared:1 - ${share} rw`);
  writeFileSync(mounts, lines.join("\n"));
  // 300 is 1 * 256 + 44: the high part of a minor number stands above the major one.
  const found = await Promise.all(shares.map((_, at) => fileSystemId((1 << 20) | (44 + at), none, mounts)));
  assert.deepEqual(found, [
    "nfs4:box:/home",
    "9p:C:\\134",
    "virtiofs:host0",
    "fuse.sshfs:ada@box:",
    ...Array.from({ length: 5 }, () => null),
  ]);
});
