import assert from "node:assert/strict";
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { identifyFolder, identifyFolderForSure } from "../../../act/files/identify.ts";
import { openSampleState } from "../../../memory/state/samples.fixture.ts";
import type { State } from "../../../memory/state/state.ts";
import { makeFolderTrust } from "../../commands/folder-trust.ts";
import { followTrust } from "./follow-trust.ts";

function followingIn(state: State) {
  const told: string[] = [];
  const parts = {
    state,
    orders: { move: async () => {} },
    journal: async () => {},
    untold: { add: async (words: readonly string[]) => void told.push(...words) },
  };
  return { parts, told };
}

test("a trusted folder that is at its old path too is not trusted at a second one", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "follow-trust-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [place, moved] = [join(root, "real/garden"), join(root, "real/plot")];
  mkdirSync(place, { recursive: true });
  // As a second mount of the same folder is: both paths lead to it.
  symlinkSync(join(root, "real"), join(root, "second"));
  const again = join(root, "second/garden");
  await using state = await openSampleState(join(root, "state"));
  await makeFolderTrust(state.trustedFolders).trust(place);
  const { parts, told } = followingIn(state);
  await followTrust(parts, again);
  assert.deepEqual([await state.trustedFolders.identityOf(again), told.length], [null, 0]);
  renameSync(place, moved);
  await followTrust(parts, moved);
  assert.equal(await state.trustedFolders.identityOf(place), null);
  assert.notEqual(await state.trustedFolders.identityOf(moved), null);
  assert.equal(told.length, 1);
});

if (process.platform === "linux")
  test("trust is not taken along where the file system does not say when a folder was made", async (t) => {
    const root = mkdtempSync(join(tmpdir(), "follow-trust-"));
    t.after(() => rmSync(root, { recursive: true, force: true }));
    // A folder of a file system without births. Its number may have been that of a folder that is gone.
    const place = realpathSync("/proc/self/task");
    assert.equal(lstatSync(place, { bigint: true }).birthtimeNs, 0n);
    await using state = await openSampleState(join(root, "state"));
    await state.trustedFolders.trust(join(root, "gone"), (await identifyFolder(place)) ?? "");
    const { parts, told } = followingIn(state);
    await followTrust(parts, place);
    assert.deepEqual([await state.trustedFolders.identityOf(place), told], [null, []]);
  });

for (const [where, given, next] of [
  ["which can be trusted", null, /\/trust-folder trusts it anew/],
  ["which cannot", "/proc/self/task", /copy it to a disk of this computer/],
] as const)
  test(`a trust that was bound to no disk ends, told once, also in a folder ${where}`, async (t) => {
    const root = mkdtempSync(join(tmpdir(), "follow-trust-"));
    t.after(() => rmSync(root, { recursive: true, force: true }));
    const place = given ?? root;
    if (
      (await identifyFolder(place)) === null ||
      ((await identifyFolderForSure(place)) === null) !== (given !== null)
    )
      return t.skip("no such folder here");
    await using state = await openSampleState(join(root, "state"));
    await state.trustedFolders.trust(place, "folder 1 2 0");
    const { parts, told } = followingIn(state);
    await followTrust(parts, place);
    await followTrust(parts, place);
    assert.deepEqual([told.length, await state.trustedFolders.identityOf(place)], [1, null]);
    assert.match(told[0] ?? "", next);
  });
