import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openLaterGuard, takeBackUnapproved } from "./later-guard.ts";

/** A workspace with a folder that a line changes and closes, and what was taken back of that. */
async function closeFolders(t: TestContext, line: (folder: string) => void) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "closed-")));
  const old = join(workspace, "old");
  mkdirSync(join(old, "in"), { recursive: true });
  t.after(() => {
    for (const folder of [old, join(old, "in")]) chmodSync(folder, 0o700);
    rmSync(workspace, { recursive: true });
  });
  writeFileSync(join(old, "diary.txt"), "mine\n");
  const guard = await openLaterGuard(workspace);
  assert.ok(guard !== null);
  line(old);
  const taken = await takeBackUnapproved(guard, [], async () => true);
  return { workspace, old, taken };
}

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

test("a folder that a line closed keeps its name and is closed again after the look", async (t) => {
  for (const mode of [0o000, 0o311, 0o600]) {
    const { workspace, old, taken } = await closeFolders(t, (folder) => {
      chmodSync(join(folder, "in"), 0o000);
      chmodSync(folder, mode);
    });
    assert.deepEqual(taken, { notes: [], renamed: [] });
    assert.deepEqual(readdirSync(workspace), ["old"]);
    assert.equal(modeOf(old), mode);
    chmodSync(old, 0o700);
    assert.equal(modeOf(join(old, "in")), 0o000);
  }
});

test("what is executed later in a folder that a line closed is taken back all the same", async (t) => {
  const { old, taken } = await closeFolders(t, (folder) => {
    mkdirSync(join(folder, "in/.husky"));
    writeFileSync(join(folder, "in/.husky/pre-commit"), "evil\n");
    chmodSync(join(folder, "in/.husky"), 0o000);
    chmodSync(join(folder, "in"), 0o000);
    chmodSync(folder, 0o000);
  });
  assert.match(
    taken.notes.join(),
    /\.husky is executed later .* not approved: it is now not-approved\.\.husky\.txt/,
  );
  assert.equal(modeOf(old), 0o000);
  chmodSync(old, 0o700);
  assert.equal(modeOf(join(old, "in")), 0o000);
  chmodSync(join(old, "in"), 0o700);
  assert.deepEqual(readdirSync(join(old, "in")), ["not-approved..husky.txt"]);
  chmodSync(join(old, "in/not-approved..husky.txt"), 0o700);
});
