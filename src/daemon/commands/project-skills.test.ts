import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bottomLabel, type Label } from "../../signal/label.ts";
import { readProjectSkill } from "./project-skills.ts";

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
