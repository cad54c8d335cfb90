import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { joinLabels, type Label } from "../signal/label.ts";
import type { Verdict } from "../signal/verdict.ts";
import { builtInGates } from "./built-in.ts";
import { type Gates, judge } from "./judge.ts";
import { type Proposal, proposals } from "./random-proposals.fixture.ts";

// The laws of the judge, over the gates that are in force and proposals that a seed gives.

const strictness = { pass: 0, trial: 1, ask: 2, block: 3 } as const;
const decide = ({ effects, facts }: Proposal, gates: Gates = builtInGates): Verdict =>
  judge(gates, effects, facts);
const isAtLeast = (verdict: Verdict, other: Verdict): boolean =>
  strictness[verdict.decision] >= strictness[other.decision];

/**
 * `npm run laws` tries a hundred thousand recordings, and of each other law two and a half times as many
 * proposals.
 */
const isLong = process.env["LAWS"] === "all";
const recordings = isLong ? 100_000 : 4_000;

test("a recorded proposal gets the recorded verdict again", async () => {
  const counts = { pass: 0, trial: 0, ask: 0, block: 0 };
  let count = 0;
  for (const proposal of proposals(1, recordings)) {
    // Other test files of this process may be loading.
    if (count++ % 1000 === 0) await setImmediate();
    const verdict = decide(proposal);
    counts[verdict.decision] += 1;
    const recorded = JSON.parse(JSON.stringify(proposal)) as Proposal;
    const again = decide(recorded);
    if (again.decision !== verdict.decision || again.reason !== verdict.reason)
      assert.deepEqual(again, verdict);
  }
  assert.ok(
    Math.min(...Object.values(counts)) > recordings / 100,
    `every decision occurs: ${JSON.stringify(counts)}`,
  );
});

test("removing a licence never loosens, and no licence turns a block", () => {
  for (const proposal of proposals(2, isLong ? 10_000 : 4_000)) {
    const { facts } = proposal;
    const verdict = decide(proposal);
    const without = decide({ ...proposal, facts: { ...facts, licences: facts.licences.slice(1) } });
    assert.ok(isAtLeast(without, verdict));
    const bare = decide({ ...proposal, facts: { ...facts, licences: [] } });
    if (bare.decision === "block") assert.equal(verdict.decision, "block");
  }
});

test("without one of its gates the judge is never stricter, and without the owner of an effect it blocks", () => {
  for (const proposal of proposals(3, isLong ? 2000 : 800)) {
    const verdict = decide(proposal);
    for (const left of builtInGates.others) {
      const others = builtInGates.others.filter((gate) => gate !== left);
      assert.ok(isAtLeast(verdict, decide(proposal, { ...builtInGates, others })), left.name);
    }
    const [effect] = proposal.effects;
    if (effect === undefined) continue;
    const indifferent = {
      ...builtInGates.owners[effect.kind],
      answer: () => ({ result: "not-concerned" }) as const,
    };
    const owners = { ...builtInGates.owners, [effect.kind]: indifferent };
    assert.equal(decide(proposal, { ...builtInGates, owners }).decision, "block");
  }
});

test("the order of gates, effects and licences never matters to the decision", () => {
  for (const proposal of proposals(4, isLong ? 5000 : 2000)) {
    const { effects, facts } = proposal;
    const last = effects.length - 1;
    const turned: Proposal = {
      effects: effects.toReversed(),
      facts: {
        ...facts,
        findings: facts.findings.map((finding) => ({ ...finding, effectIndex: last - finding.effectIndex })),
        licences: facts.licences.toReversed().map((licence) => ({
          ...licence,
          effectIndexes: licence.effectIndexes.filter((index) => index <= last).map((index) => last - index),
        })),
      },
    };
    const gates = { ...builtInGates, others: builtInGates.others.toReversed() };
    assert.equal(decide(turned, gates).decision, decide(proposal).decision);
  }
});

test("a gate that throws blocks, whatever the others say", () => {
  for (const proposal of proposals(5, 500))
    for (const broken of builtInGates.others) {
      const throwing = () => {
        throw new Error("broken");
      };
      const others = builtInGates.others.map((gate) =>
        gate === broken ? { ...gate, answer: throwing } : gate,
      );
      assert.equal(decide(proposal, { ...builtInGates, others }).decision, "block", broken.name);
    }
});

test("a label never weakens on its way: a join is at least as strict as each of its parts, in any order", () => {
  const integrity = ["user", "agent", "untrusted"] as const;
  const secrecy = ["public", "private", "secret"] as const;
  const all = integrity.flatMap((one) =>
    secrecy.map(
      (two): Label => ({ integrity: one, secrecy: two, sources: [{ id: `${one}-${two}`, path: "" }] }),
    ),
  );
  for (const a of all)
    for (const b of all) {
      const joined = joinLabels(a, b);
      for (const part of [a, b]) {
        assert.ok(integrity.indexOf(joined.integrity) >= integrity.indexOf(part.integrity));
        assert.ok(secrecy.indexOf(joined.secrecy) >= secrecy.indexOf(part.secrecy));
        assert.ok(part.sources.every(({ id }) => joined.sources.some((source) => source.id === id)));
      }
      const back = joinLabels(b, a);
      assert.deepEqual([back.integrity, back.secrecy], [joined.integrity, joined.secrecy]);
      for (const c of all) assert.deepEqual(joinLabels(joined, c), joinLabels(a, joinLabels(b, c)));
    }
});
