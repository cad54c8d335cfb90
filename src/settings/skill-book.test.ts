import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AcceptedSkill } from "../signal/skill.ts";
import { openSkillBook } from "./skill-book.ts";

const digest = "a".repeat(64);
const declared = { triggers: false, prompts: false, tools: [], gates: [], commands: [] };

function skillNamed(name: string, dependsOn: readonly string[] = []): AcceptedSkill {
  const head = { name, title: name, id: null, dependsOn, priority: 50, capabilities: [], guards: [] };
  const more = { hooks: [], crons: [], mandates: [], trigger: null, prompt: "" };
  return { head: { ...head, ...more }, declared, digest, code: "", enabled: true, from: null };
}

test("a book of the version before is read, and keeps its skills when the first folder is accepted", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "skill-book-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "skills.json");
  const skill = skillNamed("dice");
  writeFileSync(path, JSON.stringify({ version: 1, skills: [skill] }));
  const book = openSkillBook(path);
  assert.deepEqual([book.fault(), book.all().length, book.folders()], [null, 1, []]);
  const accepted = { name: "forms", digest, from: null, mine: false, enabled: true };
  book.keepFolder(accepted);
  const away = {
    ...skill,
    head: { ...skill.head, name: "away" },
    declared: { ...declared, recovers: true as const },
  };
  book.keep(away);
  const again = openSkillBook(path);
  assert.deepEqual([again.fault(), again.all(), again.folders()], [null, [skill, away], [accepted]]);
  assert.equal(JSON.parse(readFileSync(path, "utf8")).version, 2);
  writeFileSync(path, JSON.stringify({ version: 3, skills: [] }));
  assert.match(again.fault() ?? "", /cannot be used/);
});

test("what the book could not read again is refused in words, and the book stays as it was", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "skill-book-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "skills.json");
  const skills = Array.from({ length: 1000 }, (_, at) => skillNamed(`skill-${at}`));
  const folders = skills.map(({ head: { name } }) => ({
    name,
    digest,
    from: null,
    mine: false,
    enabled: true,
  }));
  writeFileSync(path, JSON.stringify({ version: 2, skills, folders }));
  const book = openSkillBook(path);
  const before = readFileSync(path, "utf8");
  assert.throws(() => book.keep(skillNamed("one-more")), /already holds 1000 skills, which is the most/);
  assert.throws(
    () => book.keepFolder({ name: "one-more", digest, from: null, mine: false, enabled: true }),
    /already holds 1000 folders of skills/,
  );
  const many = Array.from({ length: 1001 }, (_, at) => `needed-${at}`);
  assert.throws(() => book.keep(skillNamed("skill-7", many)), /cannot hold this: .*Nothing was changed/s);
  assert.equal(readFileSync(path, "utf8"), before);
  book.keep({ ...skillNamed("skill-7"), enabled: false });
  const again = openSkillBook(path);
  assert.deepEqual([again.fault(), again.all().length, again.folders().length], [null, 1000, 1000]);
});
