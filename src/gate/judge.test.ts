import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EffectKind } from "../signal/effect.ts";
import type { Facts, Licence } from "../signal/facts.ts";
import type { GateAnswer } from "./answer.ts";
import { builtInGates } from "./built-in.ts";
import { describeGates, type Gate, type Gates, judge } from "./judge.ts";
import { makeJudge } from "./make-judge.ts";
import { allSampleEffects } from "./sample-action.fixture.ts";
import { approvalOf, sampleEffects, sampleFacts } from "./sample-action.ts";

const passed: GateAnswer = { result: "passed", reason: "fine" };
const gate = (name: string, answer: GateAnswer | (() => GateAnswer), priority = 0): Gate => ({
  name,
  priority,
  revision: 1,
  answer: () => (typeof answer === "function" ? answer() : answer),
});
const owners = (owner: Gate): Gates["owners"] => ({
  "read-path": owner,
  "write-path": owner,
  "delete-path": owner,
  "run-program": owner,
  "reach-host": owner,
  "tell-person": owner,
  "call-model": owner,
  "change-memory": owner,
  evaluate: owner,
  "use-service": owner,
});
const gates = (others: readonly Gate[], owner = gate("owner", passed)): Gates => ({
  owners: owners(owner),
  others,
});
const strictness = { pass: 0, trial: 1, ask: 2, block: 3 };
const { read, write, reach } = sampleEffects;

const answers = fc.oneof(
  fc.constant<GateAnswer>(passed),
  fc.constant<GateAnswer>({ result: "not-concerned" }),
  fc.record<GateAnswer & { result: "ask" | "block" }>({
    result: fc.constantFrom("ask", "block"),
    code: fc.constantFrom("a", "b", "c"),
    reason: fc.constantFrom("one", "two"),
  }),
);
const namedGates = fc.array(
  fc
    .tuple(fc.constantFrom("x", "y", "z"), answers, fc.integer({ min: 0, max: 2 }))
    .map(([name, answer, priority]) => gate(name, answer, priority)),
  { maxLength: 6 },
);
const effectLists = fc.array(fc.constantFrom(...allSampleEffects), { minLength: 1, maxLength: 4 });
const licences: fc.Arbitrary<Licence> = fc.record({
  kind: fc.constantFrom("approval", "rule", "intent"),
  name: fc.string(),
  discharges: fc.array(fc.constantFrom("a", "b", "c")),
  effectIndexes: fc.array(fc.nat({ max: 4 })),
});
const factsWith = (given: readonly Licence[]): Facts => ({ ...sampleFacts, licences: given });

test("an effect that its owner does not cover is blocked, whatever other gates say", () => {
  const verdict = judge(
    gates([gate("friend", passed)], gate("owner", { result: "not-concerned" })),
    [read],
    sampleFacts,
  );
  assert.equal(verdict.decision, "block");
  assert.match(verdict.reason, /owns read-path and did not cover this effect/);
});

test("an action without effects is blocked", () => {
  assert.equal(judge(builtInGates, [], sampleFacts).decision, "block");
});

test("a gate that throws blocks, and the reason names it", () => {
  const broken = gate("broken", () => {
    throw new Error("out of order");
  });
  const verdict = judge(gates([broken]), [read], sampleFacts);
  assert.equal(verdict.decision, "block");
  assert.match(verdict.reason, /the gate broken failed: out of order/);
});

test("adding a gate never loosens a verdict", () => {
  fc.assert(
    fc.property(namedGates, answers, effectLists, fc.array(licences), (given, added, effects, held) => {
      const before = judge(gates(given), effects, factsWith(held));
      const after = judge(gates([...given, gate("added", added)]), effects, factsWith(held));
      assert.ok(strictness[after.decision] >= strictness[before.decision]);
      if (added.result === "block") assert.equal(after.decision, "block");
    }),
  );
});

test("the order of gates changes neither verdict nor trace", () => {
  fc.assert(
    fc.property(namedGates, fc.nat(), effectLists, fc.array(licences), (given, turn, effects, held) => {
      const rotated = given
        .map((_, index) => given[(index + turn) % given.length])
        .filter((each) => each !== undefined);
      const expected = judge(gates(given), effects, factsWith(held));
      assert.deepEqual(judge(gates(given.toReversed()), effects, factsWith(held)), expected);
      assert.deepEqual(judge(gates(rotated), effects, factsWith(held)), expected);
    }),
  );
});

test("no licence discharges a block, and more licences never tighten", () => {
  fc.assert(
    fc.property(namedGates, effectLists, fc.array(licences), (given, effects, held) => {
      const without = judge(gates(given), effects, sampleFacts).decision;
      const verdict = judge(gates(given), effects, factsWith(held)).decision;
      assert.equal(verdict === "block", without === "block");
      assert.ok(strictness[verdict] <= strictness[without]);
    }),
  );
});

test("the same effects and facts give the same verdict again", () => {
  fc.assert(
    fc.property(effectLists, (effects) => {
      const once = judge(builtInGates, effects, sampleFacts);
      assert.deepEqual(judge(builtInGates, structuredClone(effects), structuredClone(sampleFacts)), once);
    }),
  );
});

test("a licence discharges the ask that it names on the effect that it is bound to, and the trace says so", () => {
  const asking = gates([], gate("owner", { result: "ask", code: "a", reason: "why" }));
  const bound: Licence = { kind: "approval", name: "yes", discharges: ["a"], effectIndexes: [0] };
  const verdict = judge(asking, [read], factsWith([bound]));
  assert.equal(verdict.decision, "pass");
  assert.deepEqual(verdict.trace, [
    { gate: "owner", result: "passed", reason: "why; allowed by approval yes", effects: [0] },
  ]);
  assert.equal(judge(asking, [read, write], factsWith([bound])).decision, "ask");
  assert.equal(judge(asking, [read], factsWith([{ ...bound, discharges: ["aa", "", "A"] }])).decision, "ask");
  assert.equal(judge(asking, [read], factsWith([{ ...bound, effectIndexes: [1] }])).decision, "ask");
});

test("the undischarged asks are listed with gate, code and effect", () => {
  const verdict = judge(builtInGates, [read, reach], sampleFacts);
  assert.deepEqual(verdict.asks, [{ gate: "hosts", code: "reach-host", effectIndex: 1 }]);
  assert.deepEqual(judge(builtInGates, [read, reach], factsWith([approvalOf("reach-host")])).asks, []);
  const ask = (code: string): GateAnswer => ({ result: "ask", code, reason: "Why?" });
  const both = judge(gates([gate("one", ask("a")), gate("other", ask("b"))]), [read], sampleFacts);
  assert.deepEqual(both.asks, [
    { gate: "one", code: "a", effectIndex: 0 },
    { gate: "other", code: "b", effectIndex: 0 },
  ]);
});

test("the trace lists every concerned gate by priority, then name, and equal answers once", () => {
  const given = [
    gate("b", passed, 5),
    gate("a", passed, 5),
    gate("late", passed, 1),
    gate("silent", { result: "not-concerned" }, 9),
  ];
  const verdict = judge(gates(given, gate("owner", passed, 3)), [read, write], sampleFacts);
  assert.deepEqual(
    verdict.trace.map((line) => [line.gate, line.effects]),
    [
      ["a", [0, 1]],
      ["b", [0, 1]],
      ["owner", [0, 1]],
      ["late", [0, 1]],
    ],
  );
});

test("all gates run even after one has blocked", () => {
  const blocking = gate("first", { result: "block", code: "no", reason: "no" }, 9);
  const verdict = judge(gates([blocking, gate("second", passed, 1)]), [read], sampleFacts);
  assert.deepEqual(
    verdict.trace.map((line) => line.gate),
    ["first", "second", "owner"],
  );
});

test("a pass has no reason, an ask and a block join their deciding reasons", () => {
  const asking = (name: string): Gate => gate(name, { result: "ask", code: name, reason: `${name} asks` });
  assert.equal(judge(gates([]), [read], sampleFacts).reason, "");
  assert.equal(judge(gates([asking("x"), asking("y")]), [read], sampleFacts).reason, "x asks; y asks");
  const blocking = gate("z", { result: "block", code: "z", reason: "z blocks" });
  assert.equal(judge(gates([asking("x"), blocking]), [read], sampleFacts).reason, "z blocks");
});

test("a judge keeps the gates that it was made with", () => {
  const others: Gate[] = [gate("no", { result: "block", code: "no", reason: "no" })];
  const made = makeJudge(gates(others));
  others.pop();
  assert.equal(made([read], sampleFacts).decision, "block");
});

test("the description of a set of gates changes with name, priority and revision and not with order", () => {
  const one = gate("one", passed, 1);
  const two = gate("two", passed, 2);
  const text = describeGates(gates([one, two]));
  assert.equal(describeGates(gates([two, one])), text);
  for (const changed of [
    { ...two, revision: 2 },
    { ...two, priority: 3 },
    { ...two, name: "three" },
  ]) {
    assert.notEqual(describeGates(gates([one, changed])), text);
  }
  assert.notEqual(describeGates(gates([one])), text);
});

test("every kind of effect has an owner in the built-in set", () => {
  const kinds: readonly EffectKind[] = allSampleEffects.map((effect) => effect.kind);
  assert.deepEqual(Object.keys(builtInGates.owners).sort(), [...kinds].sort());
});
