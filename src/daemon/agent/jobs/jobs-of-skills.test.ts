import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../../signal/label.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";
import { readSkillFile } from "../../../skills/read-skill-file.ts";
import { jobsOfSkills } from "./jobs-of-skills.ts";
import { wordsOfJob } from "./words-of-job.ts";

function skillOf(lines: readonly string[], job: string, from: string | null = null): AcceptedSkill {
  const read = readSkillFile("water.org", `${lines.join("\n")}\n\n#+begin_job\n${job}\n#+end_job\n`);
  assert.ok(read.ok);
  const declared = { triggers: false, prompts: false, tools: [], gates: [], commands: [] };
  return { head: read.head, declared, digest: "", code: "", enabled: true, from };
}

test("hooks and a schedule of a skill propose its block as a job that is allowed nothing", () => {
  const [read, ...others] = jobsOfSkills([
    skillOf(
      ["#+CRON: 0 9 * * *", "#+HOOK: day-began note-changed:*.org", "#+TIER: reflex"],
      "note Water it.",
    ),
  ]);
  assert.ok(read?.ok && others.length === 0);
  const { name, cron, hooks, tier, text, allows } = read.job;
  assert.deepEqual(
    [name, cron, hooks.length, tier, text, allows, read.skill],
    ["skill-water", "0 9 * * *", 2, "reflex", "note Water it.", [], "water"],
  );
});

test("a skill cannot allow its job a step, nor have several schedules or events that are none", () => {
  for (const [lines, job, problem] of [
    [["#+CRON: @daily"], "Look.\n- ALLOW: run make", /only its owner may write/],
    [["#+CRON: @daily", "#+CRON: @hourly"], "Look.", /several #\+CRON: lines/],
    [["#+HOOK: heartbeat"], "Look.", /needs a TIER without a model/],
    [["#+HOOK: full-moon"], "Look.", /'full-moon' is no event/],
  ] as const) {
    const [read] = jobsOfSkills([skillOf(lines, job)]);
    assert.ok(read !== undefined && !read.ok, job);
    assert.match(read.problem, problem);
  }
});

test("a heartbeat with a condition of the skill's own may ask a small model, and never a large one", () => {
  for (const [tier, isFine] of [
    ["reflex", true],
    ["cognition", true],
    ["reasoning", false],
  ] as const) {
    const skill = skillOf(["#+HOOK: heartbeat", `#+TIER: ${tier}`], "Look.");
    const [read] = jobsOfSkills([{ ...skill, declared: { ...skill.declared, triggers: true } }]);
    assert.equal(read?.ok, isFine, tier);
  }
});

test("a job of a skill runs while the skill is in force, and the words of an installed one are words of others", () => {
  const work = {
    kind: "words",
    tier: "reflex",
    text: "note x",
    session: "s",
    skill: "water",
    digest: "",
    workspace: null,
    steps: [],
    spendingCap: null,
  } as const;
  const skill = skillOf(["#+CRON: @daily"], "note x");
  const own = { ...bottomLabel, sources: [{ id: "skill:water", path: "" }] };
  assert.deepEqual(wordsOfJob({ work }, [skill], []), { label: own });
  assert.deepEqual(wordsOfJob({ work }, [{ ...skill, from: "/elsewhere/water.org" }], []), {
    label: { ...own, integrity: "untrusted" },
  });
  assert.match(JSON.stringify(wordsOfJob({ work }, [], [])), /The skill water is not in force/);
  assert.deepEqual(wordsOfJob({ work: { kind: "built-in", does: "x" } }, [], []), { label: bottomLabel });
});
