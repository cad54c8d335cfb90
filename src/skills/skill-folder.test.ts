import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { listSkillFiles, readSkillText } from "./skill-folder.ts";

test("what has the name of a skill's file and is no file is listed, and says what it is, without waiting for it", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "skills-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "tea.org"), "#+TITLE: Tea\n");
  writeFileSync(join(folder, ".#tea.org"), "");
  mkdirSync(join(folder, "folder.org"));
  execFileSync("mkfifo", [join(folder, "pipe.org")]);
  symlinkSync("gone", join(folder, "dangling.org"));
  symlinkSync("circle.org", join(folder, "circle.org"));
  symlinkSync("/dev/zero", join(folder, "zero.org"));
  const files = (await listSkillFiles(folder)).map(({ file }) => file);
  assert.deepEqual(files, ["circle.org", "dangling.org", "folder.org", "pipe.org", "tea.org", "zero.org"]);
  assert.equal(await readSkillText(folder, "tea.org"), "#+TITLE: Tea\n");
  for (const file of ["folder.org", "pipe.org", "zero.org"])
    await assert.rejects(
      readSkillText(folder, file),
      /is a folder, a pipe or a device, and no plain file/,
      file,
    );
  for (const file of ["circle.org", "dangling.org"])
    await assert.rejects(
      readSkillText(folder, file),
      /is a link to no file that can be read\. Mend or remove/,
      file,
    );
});
