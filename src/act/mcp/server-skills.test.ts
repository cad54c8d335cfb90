import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { getServedSkill } from "./server-skills.ts";

test("a server that lists a file whose name cannot be decoded gives no skill, and is named with it", async () => {
  const text = "---\nname: git\n---\nDo it.";
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const file = (uri: string) => ({ uri, digest, size: text.length });
  const given = (other: string) => {
    const uri = "skill://acme/git/SKILL.md";
    const entry = { uri, frontmatter: { name: "git" }, resources: [file(uri), file(other)] };
    const server = {
      declaresSkills: true,
      request: async () => ({ skills: [entry] }),
      readResource: async () => ({ contents: [{ text }] }),
    };
    return getServedSkill(server, "git");
  };
  const read = await given("skill://acme/git/a%20b.md");
  assert.deepEqual(read.ok && read.files.map(({ path }) => path), ["SKILL.md", "a b.md"]);
  for (const uri of ["skill://acme/git/%zz", "skill://acme/git/%ff", "skill://acme/other/a.md"]) {
    const refused = await given(uri);
    assert.ok(!refused.ok && refused.problem.includes(`outside of the skill's folder: ${uri}`), uri);
  }
});
