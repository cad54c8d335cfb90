import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallSkill } from "../../../signal/jail-work.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";
import { meterSkills } from "./meter-skills.ts";

function skillOf(name: string, seconds: number): AcceptedSkill {
  return {
    head: {
      name,
      title: name,
      id: null,
      dependsOn: [],
      priority: 50,
      capabilities: [],
      limits: { seconds },
      guards: [],
      hooks: [],
      crons: [],
      mandates: [],
      trigger: null,
      prompt: "",
    },
    declared: { triggers: false, prompts: false, tools: [], gates: [], commands: [] },
    digest: name,
    code: "",
    enabled: true,
    from: null,
  };
}

test("what a skill computes in a turn adds up over its tools, its last call gets what is left, and another skill and another turn have their own time", async () => {
  const given: number[] = [];
  const now = { at: 0 };
  const call: CallSkill = async (_skill, { limits: { milliseconds } }) => {
    given.push(milliseconds);
    now.at += 700;
    return { ok: true, json: "1", logs: [] };
  };
  const meter = meterSkills(call, () => now.at);
  const limits = { milliseconds: 2000, maxCharacters: 10 };
  const wanted = { path: ["tools", "t", "run"], values: "[]", limits, label: bottomLabel };
  const ask = (turn: string, name: string) =>
    meter(turn)(skillOf(name, 1), wanted, new AbortController().signal);
  assert.equal((await ask("one", "slow")).ok, true);
  assert.equal((await ask("one", "slow")).ok, true);
  const refused = await ask("one", "slow");
  assert.ok(!refused.ok);
  assert.match(refused.message, /computed for 1 s in this turn.*#\+SECONDS:/);
  assert.equal((await ask("one", "other")).ok, true);
  assert.equal((await ask("two", "slow")).ok, true);
  assert.deepEqual(given, [1000, 300, 1000, 1000]);
});
