import assert from "node:assert/strict";
import { test } from "node:test";
import type { Effect } from "../signal/effect.ts";
import { sampleEffects, sampleFacts } from "./sample-action.ts";
import { skillCapabilities } from "./skill-capabilities.ts";
import { taughtGates } from "./taught-gates.ts";

/** What the gate says of an effect of a tool that a skill called. */
function answerTo(effect: Effect, tool: string, ...capabilities: readonly string[]): string {
  const skill = { name: "dice", capabilities, calls: [{ tool, from: 1, to: 2 }] };
  return skillCapabilities.answer(effect, { ...sampleFacts, action: { ...sampleFacts.action, skill } }, 1)
    .result;
}

test("a skill uses the tools that it declared, and no other, however their names begin", () => {
  const { read, evaluate } = sampleEffects;
  assert.equal(answerTo(read, "read-file", "fetch-url", "read-file"), "passed");
  assert.equal(answerTo(read, "read-file"), "block");
  assert.equal(answerTo(read, "read-file", "read"), "block");
  assert.equal(answerTo(read, "read", "read-file"), "block");
  assert.equal(answerTo(read, "read-file", "*"), "block");
  assert.equal(answerTo(evaluate, "eval", "read-file"), "block");
});

test("a tool with a host, a folder or a program behind it is limited to that", () => {
  const { read, reach, run } = sampleEffects;
  const at = (target: string): Effect => ({ ...read, target });
  const host = (target: string): Effect => ({ ...reach, target });
  const program = (...argv: string[]): Effect => ({ ...run, argv });
  assert.equal(answerTo(host("wttr.in"), "fetch-url", "fetch-url:wttr.in"), "passed");
  assert.equal(answerTo(host("WTTR.in"), "fetch-url", "fetch-url:wttr.in"), "passed");
  for (const other of ["evil.wttr.in", "wttr.in.evil.org", "wttr.info"])
    assert.equal(answerTo(host(other), "fetch-url", "fetch-url:wttr.in"), "block", other);
  assert.equal(answerTo(at("/home/ada/recipes/a.txt"), "read-file", "read-file:~/recipes"), "passed");
  for (const other of ["/home/ada/recipes-2/a.txt", "/home/ada/a.txt", "/home/eve/recipes/a.txt"])
    assert.equal(answerTo(at(other), "read-file", "read-file:~/recipes"), "block", other);
  assert.equal(answerTo(program("git", "status"), "shell", "shell:git"), "passed");
  assert.equal(answerTo(program("gitk"), "shell", "shell:git"), "block");
  assert.equal(answerTo(at("/home/ada/a.txt"), "shell", "shell:git"), "block");
});

test("an effect that belongs to no call of the skill is blocked; its own evaluation in the jail is not concerned", () => {
  const skill = { name: "dice", capabilities: ["read-file"], calls: [{ tool: "read-file", from: 1, to: 2 }] };
  const facts = { ...sampleFacts, action: { ...sampleFacts.action, skill } };
  const at = (index: number, effect: Effect) => skillCapabilities.answer(effect, facts, index).result;
  assert.equal(at(0, sampleEffects.evaluate), "not-concerned");
  assert.equal(at(0, sampleEffects.read), "block");
  assert.equal(at(2, sampleEffects.read), "block");
  assert.equal(at(0, { ...sampleEffects.evaluate, jailed: false }), "block");
  assert.equal(skillCapabilities.answer(sampleEffects.read, sampleFacts, 0).result, "not-concerned");
});

test("of the objections of taught gates a block wins, each on its own effect, and a yes counts for the gates that asked", () => {
  const taught = [
    { skill: "a", gate: "one", effectIndex: 0, result: "ask", reason: "first" },
    { skill: "b", gate: "two", effectIndex: 0, result: "block", reason: "second" },
    { skill: "b", gate: "two", effectIndex: 1, result: "ask", reason: "third" },
  ] as const;
  const at = (index: number) => taughtGates.answer(sampleEffects.read, { ...sampleFacts, taught }, index);
  const [first, second] = [at(0), at(1)];
  assert.ok(first.result === "block" && first.reason.startsWith("second"));
  assert.deepEqual(second.result === "ask" && second.code, "taught:b/two");
  assert.equal(at(2).result, "not-concerned");
});
