import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkNotes } from "./check-notes.ts";

const root = mkdtempSync(join(tmpdir(), "check-notes-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("doctor names the notes that are skipped, and why", async () => {
  const folder = join(root, "notes");
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.org"), "* A\n");
  writeFileSync(join(folder, "huge.org"), "");
  truncateSync(join(folder, "huge.org"), 100 * 1024 * 1024);
  symlinkSync("/", join(folder, "everything"));
  for (let file = 0; file < 5; file += 1) writeFileSync(join(folder, `a.sync-conflict-${file}.org`), "");
  const checks = await checkNotes(folder);
  assert.match(checks[0]?.text ?? "", /2 files in 2 folders/);
  assert.equal(checks.filter(({ result }) => result === "finding").length, 6);
  assert.match(checks.map(({ text }) => text).join("\n"), /conflict|circle/);
  assert.match(checks.at(-1)?.text ?? "", /2 more files are skipped/);
});

test("doctor finds no problem with a missing notes folder or with sound notes", async () => {
  const folder = join(root, "few");
  assert.deepEqual(
    (await checkNotes(folder)).map(({ result }) => result),
    ["ok"],
  );
  mkdirSync(folder);
  writeFileSync(join(folder, "a.org"), "* A\n");
  assert.deepEqual(
    (await checkNotes(folder)).map(({ result }) => result),
    ["ok"],
  );
});
