import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInGates } from "./built-in.ts";
import { canaries } from "./canaries.ts";
import { failedCanaries } from "./failed-canaries.ts";
import type { Gate, Gates } from "./judge.ts";
import { makeJudge } from "./make-judge.ts";
import { sampleFacts } from "./sample-action.ts";

const permissive = (gate: Gate): Gate => ({
  ...gate,
  answer: () => ({ result: "passed", reason: "anything goes" }),
});
const without = (name: string): Gates => {
  const changed = (gate: Gate): Gate => (gate.name === name ? permissive(gate) : gate);
  const { owners, others } = builtInGates;
  return {
    owners: {
      "read-path": changed(owners["read-path"]),
      "write-path": changed(owners["write-path"]),
      "delete-path": changed(owners["delete-path"]),
      "run-program": changed(owners["run-program"]),
      "reach-host": changed(owners["reach-host"]),
      "tell-person": changed(owners["tell-person"]),
      "call-model": changed(owners["call-model"]),
      "change-memory": changed(owners["change-memory"]),
      evaluate: changed(owners.evaluate),
      "use-service": changed(owners["use-service"]),
    },
    others: others.map(changed),
  };
};

test("the built-in gates block every canary", () => {
  assert.deepEqual(failedCanaries(makeJudge(builtInGates)), []);
});

test("a gate that passes everything makes a canary fail", () => {
  const names = new Set(
    [...Object.values(builtInGates.owners), ...builtInGates.others].map((gate) => gate.name),
  );
  for (const name of names) assert.notDeepEqual(failedCanaries(makeJudge(without(name))), [], name);
});

test("a judge that throws, passes or only asks fails the canaries", () => {
  const failed = (decision: "pass" | "ask"): number =>
    failedCanaries(() => ({ decision, reason: "", trace: [], asks: [] })).length;
  assert.equal(failed("pass"), canaries.length);
  assert.equal(failed("ask"), canaries.length);
  const throwing = (): never => {
    throw new Error("broken");
  };
  assert.equal(failedCanaries(throwing).length, canaries.length);
});

test("each canary has one fault: its other facts are those of a healthy turn of the owner", () => {
  for (const { facts, name } of canaries) {
    const changed = Object.entries(facts).filter(
      ([key, value]) =>
        key !== "licences" && JSON.stringify(value) !== JSON.stringify(Reflect.get(sampleFacts, key)),
    );
    assert.ok(changed.length <= 1, name);
  }
});
