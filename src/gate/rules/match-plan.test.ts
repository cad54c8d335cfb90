import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Effect } from "../../signal/effect.ts";
import type { FlightPlan } from "../../signal/flight-plan.ts";
import { builtInGates } from "../built-in.ts";
import { canaries } from "../canaries.ts";
import { judge } from "../judge.ts";
import { sampleEffects, sampleFacts } from "../sample-action.ts";
import { allowanceOfPlan } from "./match-plan.ts";
import { anyWord } from "./rule.ts";

const { workspace } = sampleFacts.folders;
const command = "make test";
const program: Effect = {
  ...sampleEffects.run,
  target: "make",
  argv: ["make", "test"],
  binary: "/usr/bin/make",
  proof: null,
  doubt: "make may do anything",
};
const writing: Effect = { ...sampleEffects.write, target: "/home/ada/other/a.txt" };
const reading: Effect = { ...sampleEffects.read, target: "/home/ada/other/a.txt" };
const effects: readonly Effect[] = [program, writing, reading, sampleEffects.reach];

const planOf = (
  ...steps: readonly (readonly [command: string | null, effects: readonly Effect[]])[]
): FlightPlan => ({
  id: "plan-1",
  session: "session-1",
  workspace,
  until: 1,
  since: 0,
  spendingCap: null,
  held: false,
  heldBy: null,
  steps: steps.map(([line, seen]) => ({ words: "", command: line, effects: seen, times: 1, used: 0 })),
});
const wide = planOf([command, effects]);

function judged(
  about: readonly Effect[],
  plan: FlightPlan,
  line: string | null = command,
  facts = sampleFacts,
) {
  const before = judge(builtInGates, about, facts);
  const allowance = allowanceOfPlan(plan, {
    workspace: facts.folders.workspace,
    command: line,
    effects: about,
    asks: before.asks,
  });
  const licences = [...facts.licences, ...(allowance?.licences ?? [])];
  return { before, allowance, after: judge(builtInGates, about, { ...facts, licences }) };
}

test("a plan allows the effects that its owner saw, and uses each step once for a call", () => {
  const { before, allowance, after } = judged(effects, wide);
  assert.deepEqual([before.decision, after.decision], ["ask", "pass"]);
  assert.deepEqual(allowance?.use, { session: "session-1", plan: "plan-1", steps: [0] });
  const apart = planOf(
    [command, [program]],
    [null, [writing]],
    [null, [reading]],
    [null, [sampleEffects.reach]],
  );
  assert.deepEqual(judged(effects, apart).allowance?.use.steps, [0, 1, 2, 3]);
});

test("a call that differs from the plan in anything is put to the owner as a whole", () => {
  const private_ = { ...bottom(writing), secrecy: "private" as const };
  const others: readonly (readonly [readonly Effect[], string | null])[] = [
    [[program], "X=1 make test"],
    [[program], null],
    [[{ ...sampleEffects.run, ...program, argv: ["make", "test", "-B"] }], command],
    [[{ ...sampleEffects.run, ...program, binary: "/tmp/make" }], command],
    [[{ ...sampleEffects.run, ...program, network: ["example.com"] }], command],
    [[{ ...sampleEffects.run, ...program, confined: false }], command],
    [[{ ...sampleEffects.write, target: "/home/ada/other/b.txt" }], null],
    [[{ ...sampleEffects.write, ...writing, reversal: "final" }], null],
    [[{ ...sampleEffects.write, ...writing, executedLater: "a hook" }], null],
    [[{ ...writing, label: { ...writing.label, integrity: "untrusted" } }], null],
    [[{ ...writing, label: private_ }], null],
    [[{ ...sampleEffects.remove, target: writing.target }], null],
    [[{ ...sampleEffects.read, ...reading, tree: true }], null],
    [[{ ...sampleEffects.reach, port: 8443 }], null],
    [[{ ...sampleEffects.reach, target: "example.org" }], null],
    [[writing, { ...sampleEffects.write, target: "/home/ada/other/b.txt" }], null],
  ];
  for (const [about, line] of others) {
    const { allowance, before } = judged(about, wide, line);
    assert.equal(allowance, null, JSON.stringify([line, about]));
    assert.notEqual(before.decision, "pass");
  }
  const elsewhere = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace: "/home/ada/elsewhere" } };
  assert.equal(judged([writing], wide, null, elsewhere).allowance, null);
  const used = { ...wide, steps: wide.steps.map((step) => ({ ...step, used: 1 })) };
  assert.equal(judged([writing], used, null).allowance, null);
});

test("a command that the owner wrote may delete in its trial what can be undone, and nothing private, final, elsewhere or executed later", () => {
  const line = "rm old.log";
  const wide = planOf([line, []]);
  const plan = { ...wide, steps: wide.steps.map((step) => ({ ...step, keeps: true as const })) };
  const label = { ...bottom(sampleEffects.remove), integrity: "untrusted" as const };
  const old = { ...sampleEffects.remove, target: `${workspace}/old.log`, existed: true, label } as const;
  assert.equal(judged([old], plan, line).after.decision, "pass");
  for (const other of [
    { ...old, label: { ...label, secrecy: "private" as const } },
    { ...old, reversal: "final" as const },
    { ...old, target: "/home/ada/other/old.log" },
    { ...old, target: `${workspace}/Makefile` },
  ]) {
    const seen = { ...plan, steps: plan.steps.map((step) => ({ ...step, effects: [other] })) };
    assert.equal(judged([other], seen, line).allowance, null, JSON.stringify(other));
  }
  for (const differing of ["rm  old.log", "rm old.log keep.log"])
    assert.equal(judged([old], plan, differing).allowance, null, differing);
});

test("the mark of an open word in a plan stands for itself", () => {
  const open = planOf([`make ${anyWord}`, [{ ...sampleEffects.run, ...program, argv: ["make", anyWord] }]]);
  assert.equal(judged([program], open).allowance, null);
});

test("a plan of anything lifts no block, and no ask beside those on what it shows", () => {
  const every = [
    ...effects,
    ...Object.values(sampleEffects),
    ...canaries.flatMap((canary) => canary.effects),
  ];
  const all = planOf([command, every], [null, every]);
  for (const { name, effects: about, facts } of canaries)
    assert.equal(judged(about, all, command, facts).after.decision, "block", name);
  fc.assert(
    fc.property(fc.subarray(every, { minLength: 1 }), fc.subarray(every), (about, seen) => {
      const { before, after } = judged(about, planOf([command, seen]));
      if (before.decision === "block") assert.equal(after.decision, "block");
      if (after.decision === "pass") {
        for (const { effectIndex } of before.asks)
          assert.ok(seen.some(({ target }) => target === about[effectIndex]?.target));
      }
    }),
  );
});

function bottom({ label }: Effect) {
  return label;
}
