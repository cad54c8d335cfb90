import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSkillBook } from "./skill-book.ts";

test("a book of the version before is read, and keeps its skills when the first folder is accepted", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "skill-book-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "skills.json");
  const head = {
    name: "dice",
    title: "Dice",
    id: null,
    dependsOn: [],
    priority: 50,
    capabilities: [],
    guards: [],
  };
  const more = { hooks: [], crons: [], mandates: [], trigger: null, prompt: "" };
  const declared = { triggers: false, prompts: false, tools: [], gates: [], commands: [] };
  const digest = "a".repeat(64);
  const skill = { head: { ...head, ...more }, declared, digest, code: "", enabled: true, from: null };
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
