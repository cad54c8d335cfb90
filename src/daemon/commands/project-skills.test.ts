import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countCalls } from "../../../test/count-calls.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import { foldersUpFrom } from "./project-folders.ts";
import { mayHaveSkills, readProjectSkill, skillsPlace } from "./project-skills.ts";

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

test("a project's skill has the labels of all its files: a reference made of words of others makes it words of others, a private one keeps it out", async (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "project-skill-")));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const place = join(root, ".agents/skills/deploy");
  mkdirSync(join(place, "references"), { recursive: true });
  writeFileSync(
    join(place, "SKILL.md"),
    "---\nname: deploy\ndescription: Deploy\n---\nSee references/web.md.\n",
  );
  writeFileSync(join(place, "references/web.md"), "From a page.\n");
  const read = (label: Partial<Label>) =>
    readProjectSkill(
      {
        ownSkills: "/none",
        knownDigests: new Map(),
        isClosed: () => false,
        labelOf: async (path) => ({ ...bottomLabel, ...(path.endsWith("web.md") ? label : {}) }),
      },
      place,
      root,
    );
  const sources = [{ id: "https://example.org", path: "" }];
  const others = await read({ integrity: "untrusted", sources });
  assert.deepEqual(
    [others.problem, others.skill.label.integrity, others.skill.label.sources],
    [null, "untrusted", sources],
  );
  assert.match((await read({ secrecy: "private" })).problem ?? "", /it is private/);
  assert.deepEqual((await read({})).skill.label, bottomLabel);
});
