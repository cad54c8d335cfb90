import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInGates } from "./built-in.ts";
import { judge } from "./judge.ts";
import { sampleEffects, sampleFacts } from "./sample-action.ts";

const limits = { tools: ["sample"], folder: "/home/ada/project/part", workspace: "/home/ada/project" };

test("within its limits a sub-task is judged as its turn is, and they never allow anything", () => {
  for (const effect of Object.values(sampleEffects)) {
    const target = "/home/ada/project/part/a.txt";
    const inside = effect.kind.endsWith("-path") ? { ...effect, target } : effect;
    const without = judge(builtInGates, [inside], sampleFacts);
    const within = judge(builtInGates, [inside], { ...sampleFacts, subTask: limits });
    assert.equal(within.decision, without.decision, effect.kind);
  }
});

test("a sub-task is blocked where its tool, its folder or a person lies outside, whatever is licensed", () => {
  const { read, write, remove, tell } = sampleEffects;
  const everything = [{ kind: "approval" as const, name: "a", discharges: ["*"], effectIndexes: [0] }];
  for (const [effect, changes] of [
    [read, { subTask: { ...limits, tools: [] } }],
    [read, { subTask: { ...limits, tools: ["Sample", "sampl"], folder: null } }],
    [{ ...read, target: "/home/ada/project/partial" }, {}],
    [{ ...read, target: "/home/ada/PROJECT/part/a" }, {}],
    [{ ...write, target: "/home/ada/project" }, {}],
    [{ ...remove, target: "/home/ada/project/other" }, {}],
    [tell, { action: { ...sampleFacts.action, tool: null } }],
  ] as const) {
    const facts = { ...sampleFacts, licences: everything, subTask: limits, ...changes };
    assert.equal(judge(builtInGates, [effect], facts).decision, "block", JSON.stringify([effect, changes]));
  }
});
