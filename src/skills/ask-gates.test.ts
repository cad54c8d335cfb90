import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleEffects, sampleFacts } from "../gate/sample-action.ts";
import type { CallSkill } from "../signal/jail-work.ts";
import { askGates } from "./ask-gates.ts";
import { makeSkillWorld, skillFile } from "./skills.fixture.ts";

/** What each gate answers to one harmless program: the result and the reason of its objection, or null where it has none. */
async function answersOf(bodies: readonly string[]) {
  const gates = bodies.map((body, at) => `g${at}: { effects: ["run-program"], answer: ${body} }`);
  await using world = makeSkillWorld({
    "gates.org": skillFile([], `export const gates = { ${gates.join(", ")} };`),
  });
  const set = await world.skills.refresh();
  assert.deepEqual(set.listed[0]?.problem, null);
  const effects = [sampleEffects.run];
  const objections = await askGates(set, world.skills.call, { effects, facts: sampleFacts });
  return bodies.map((_, at) => objections.find(({ gate }) => gate === `g${at}`) ?? null);
}

test("a gate that gives anything but null, an ask or a block has not answered, and blocks: nothing at all too", async () => {
  const lies = [
    "() => {}",
    "async () => undefined",
    "() => () => null",
    "() => Symbol('null')",
    "() => Number.NaN",
    "() => ({ toJSON: () => null })",
    "() => new (class { toJSON() {} })()",
    "() => false",
    "() => 'allow'",
    "() => ({})",
    "() => ({ pass: true })",
    "() => ({ ask: 'a', block: 'b' })",
    "() => ({ ask: 'a', allow: true })",
    "() => ({ ask: '' })",
    "() => [null]",
    "() => ({ then(settle) { settle(null); } })",
    "() => new Promise(() => {})",
    "() => new Proxy({}, { ownKeys() { throw 1; } })",
    "() => { throw null; }",
  ];
  for (const [at, objection] of (await answersOf(lies)).entries())
    assert.deepEqual([objection?.result, objection?.unanswered], ["block", true], lies[at]);
});

test("a gate that changes what it is told changes it for itself alone", async () => {
  const forgery = "(effect, about) => { effect.argv = []; about.tool = 'x'; return { ask: 'changed' }; }";
  const [changed, after, quiet] = await answersOf([
    forgery,
    "(effect, about) => effect.argv.length > 0 && about.tool !== 'x' ? { block: 'as it was' } : null",
    "async () => null",
  ]);
  assert.deepEqual([changed?.result, after?.reason, quiet], ["ask", "as it was", null]);
});

test("a skill whose gate breaks a limit is asked no more about the action, all of which it blocks; another skill is asked", async () => {
  const gates = (answer: string) =>
    `export const gates = { one: { effects: ["run-program"], answer: ${answer} }, two: { effects: ["run-program"], answer: () => null } };`;
  await using world = makeSkillWorld({
    "loops.org": skillFile([], gates("() => { for (;;) {} }")),
    "quiet.org": skillFile([], gates("() => ({ ask: 'sure' })")),
  });
  const set = await world.skills.refresh();
  const asked: string[] = [];
  const call: CallSkill = (skill, wanted, cancel) => {
    asked.push(`${skill.head.name} ${wanted.path[1]}`);
    return world.skills.call(skill, wanted, cancel);
  };
  const effects = [sampleEffects.run, sampleEffects.read, sampleEffects.run];
  const objections = await askGates(set, call, { effects, facts: sampleFacts });
  assert.deepEqual(asked, ["loops one", "quiet one", "quiet one", "quiet two", "quiet two"]);
  assert.deepEqual(
    objections.map(({ skill, gate, effectIndex, result }) => `${skill} ${gate} ${effectIndex} ${result}`),
    [
      "loops one 0 block",
      "loops one 2 block",
      "loops two 0 block",
      "loops two 2 block",
      "quiet one 0 ask",
      "quiet one 2 ask",
    ],
  );
});
