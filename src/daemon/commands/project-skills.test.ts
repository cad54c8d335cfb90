import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countCalls } from "../../../test/count-calls.ts";
import { foldersUpFrom } from "./project-folders.ts";
import { mayHaveSkills, skillsPlace } from "./project-skills.ts";

test("one look a folder says that a project has no skills", async (t) => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "project-skills-")));
  t.after(() => rmSync(home, { recursive: true }));
  const work = join(home, "a/b");
  mkdirSync(work, { recursive: true });
  const ownSkills = join(home, skillsPlace);
  mkdirSync(ownSkills, { recursive: true });
  const folders = foldersUpFrom(work);
  assert.deepEqual(folders.slice(0, 3), [work, join(home, "a"), home]);
  const { files } = await countCalls(async () => {
    assert.equal(await mayHaveSkills({ ownSkills }, folders), false);
  });
  assert.equal(files, folders.length - 1);
  mkdirSync(join(home, "a", skillsPlace), { recursive: true });
  assert.equal(await mayHaveSkills({ ownSkills }, folders), true);
  assert.equal(await mayHaveSkills({ ownSkills: join(home, "a", skillsPlace) }, folders), true);
});
