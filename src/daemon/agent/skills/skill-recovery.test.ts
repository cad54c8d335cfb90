import assert from "node:assert/strict";
import { test } from "node:test";
import { LlmError } from "../../../signal/failure.ts";
import type { CallSkill } from "../../../signal/jail-work.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { Signal } from "../../../signal/signal.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";
import { nothingDeclared } from "../../../skills/read-declaration.ts";
import { makeSkillWorld, skillFile } from "../../../skills/skills.fixture.ts";
import { fallbackAnswer, type RecoveryChoice, recoverWith } from "../../../turn/recovery-handlers.ts";
import { recoveryHandlersOf } from "./skill-recovery.ts";

const noAnswer = new LlmError("nobody there", { provider: "one", cascade: ["one"], attempts: 1 });
const signal: Signal = {
  id: "s",
  clientId: null,
  sensor: "user-input",
  session: "x",
  source: "cli",
  person: "owner",
  text: "hello",
  payload: {},
  depth: 0,
  label: bottomLabel,
  at: 0,
};

type Asked = { readonly fallback?: string; readonly label?: Label; readonly from?: string };
type Asking = { readonly inForce: readonly AcceptedSkill[]; readonly call: CallSkill };

/** What these skills choose, and what was reported. */
async function choose({ inForce, call }: Asking, { fallback, label = bottomLabel }: Asked = {}) {
  const reports: string[] = [];
  const handlers = () => [fallbackAnswer(fallback ?? null), ...recoveryHandlersOf(inForce, call)];
  const recover = recoverWith(handlers, (message) => void reports.push(message));
  const choice: RecoveryChoice | null = await recover(noAnswer, { ...signal, label });
  return { choice, reports };
}

/** Skills without a jail, each with the JSON that its function gives; named by priority. */
function giving(jsons: Readonly<Record<string, string>>, from: string | null = null): Asking {
  const inForce = Object.keys(jsons).map((name): AcceptedSkill => {
    const priority = Number(/\d+$/.exec(name)?.[0] ?? "50");
    const head = { name, title: name, id: null, dependsOn: [], priority, capabilities: [], guards: [] };
    const more = { hooks: [], crons: [], mandates: [], trigger: null, prompt: "" };
    const declared = { ...nothingDeclared, recovers: true as const };
    return { head: { ...head, ...more }, declared, digest: name, code: "", enabled: true, from };
  });
  const call: CallSkill = async ({ head }) => ({ ok: true, json: jsons[head.name] ?? "null", logs: [] });
  return { inForce, call };
}

test("skills are asked by priority, then name, behind the owner's own answer, and at most five about one failure", async () => {
  const jsons = { a10: '{"drop":true}', b90: '{"answer":"Later."}', c95: "null" };
  const { choice } = await choose(giving(jsons));
  assert.ok(choice?.choice === "use-fallback");
  assert.deepEqual([choice.text, choice.by?.skill], ["Later.", "b90"]);
  const ended = (await choose(giving({ a: '{"end":"no luck"}' }))).choice;
  assert.ok(ended?.choice === "abort-pipeline");
  assert.equal(ended.reason, "no luck");
  assert.equal((await choose(giving({ a: '{"drop":true}' }))).choice?.choice, "skip-signal");
  const first = (await choose(giving({ a100: '{"drop":true}' }), { fallback: "Away." })).choice;
  assert.deepEqual(first, { choice: "use-fallback", text: "Away." });
  const many = { f1: "null", e2: "null", d3: "null", c4: "null", b5: "null", a0: '{"drop":true}' };
  assert.equal((await choose(giving(many))).choice, null);
});

test("what a skill says is labelled with it: the agent's words of the owner's own, words of others of an installed one, as private as what it was told", async () => {
  const jsons = { a: '{"answer":"Later."}' };
  const own = (await choose(giving(jsons))).choice?.by?.label;
  assert.deepEqual(own, { integrity: "agent", secrecy: "public", sources: [{ id: "skill:a", path: "" }] });
  const label: Label = { ...bottomLabel, secrecy: "private" };
  const other = (await choose(giving(jsons, "/elsewhere"), { label })).choice?.by?.label;
  assert.deepEqual([other?.integrity, other?.secrecy], ["untrusted", "private"]);
});

test("a skill that gives anything else has no choice and is reported", async () => {
  for (const json of [
    "{}",
    '"later"',
    '{"answer":" "}',
    '{"answer":7}',
    '{"drop":false}',
    '{"answer":"x","drop":true}',
    JSON.stringify({ answer: "x".repeat(4001) }),
    `{"answer":"${"x".repeat(5000)}`,
  ]) {
    const { choice, reports } = await choose(giving({ a: json }));
    assert.equal(choice, null, json);
    assert.match(reports.join(), /handler of the skill a failed: .*it gave neither/);
  }
});

test("in the jail a skill that throws or loops is ended and reported, and the next one is told what failed", async () => {
  const skill = (priority: number, body: string) =>
    skillFile(
      [`PRIORITY: ${priority}`],
      `export function recover(failure: { error: string; message: string; text: string }) { ${body} }`,
    );
  await using world = makeSkillWorld({
    "throws.org": skill(90, "throw new Error('no idea');"),
    "loops.org": skill(80, "for (;;);"),
    "stays.org": skill(
      70,
      "return { answer: failure.error + ': ' + failure.text + ': ' + failure.message };",
    ),
  });
  const { inForce } = await world.skills.refresh();
  const { choice, reports } = await choose({ inForce, call: world.skills.call });
  assert.ok(choice?.choice === "use-fallback");
  assert.match(choice.text, /^LlmError: hello: LLM error \(one\): nobody there/);
  assert.match(reports.join("\n"), /skill throws failed: .*no idea.*\n.*skill loops failed: .*too long/);
});
