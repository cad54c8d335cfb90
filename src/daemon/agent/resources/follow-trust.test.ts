import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSampleState } from "../../../memory/state/samples.fixture.ts";
import { makeFolderTrust } from "../../commands/folder-trust.ts";
import { followTrust } from "./follow-trust.ts";

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
  const told: string[] = [];
  const parts = {
    state,
    orders: { move: async () => {} },
    journal: async () => {},
    untold: { add: async (words: readonly string[]) => void told.push(...words) },
  };
  await followTrust(parts, again);
  assert.deepEqual([await state.trustedFolders.identityOf(again), told.length], [null, 0]);
  renameSync(place, moved);
  await followTrust(parts, moved);
  assert.equal(await state.trustedFolders.identityOf(place), null);
  assert.notEqual(await state.trustedFolders.identityOf(moved), null);
  assert.equal(told.length, 1);
});
