import assert from "node:assert/strict";
import { test } from "node:test";
import type { Effect } from "../signal/effect.ts";
import type { Facts, Licence } from "../signal/facts.ts";
import { joinLabels, type Label } from "../signal/label.ts";
import type { Verdict } from "../signal/verdict.ts";
import { builtInGates } from "./built-in.ts";
import { type Gates, judge } from "./judge.ts";
import { allSampleEffects } from "./sample-action.fixture.ts";
import { sampleFacts } from "./sample-action.ts";

// The laws of the judge, over the gates that are in force and proposals that a seed gives.

/** A generator of numbers that is the same on every machine (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Proposal = { readonly effects: readonly Effect[]; readonly facts: Facts };

const targets = [
  "/home/ada/project/a.txt",
  "/home/ada/project/.git/hooks/pre-commit",
  "/home/ada/.ssh/id_ed25519",
  "/home/ada/.bashrc",
  "/home/ada",
  "/srv/data/x",
  "/",
  "relative/../x",
  "example.org",
  "169.254.169.254",
  "10.0.0.1",
  "rm",
  "ls",
  "a\u202eb",
];
const codes = [
  ..."unproved-program read-outside write-outside reach-host secret-kept delete-outside write-executed-later tool-asks".split(
    " ",
  ),
  ..."private-leaves unconfined-program lifts-privacy tell-person reach-private-host planted-program".split(
    " ",
  ),
];

/** A command that could be tried. Among random effects few such commands stand alone, as they do in an honest day. */
const tried: Effect = {
  kind: "run-program",
  target: "npm",
  label: { integrity: "agent", secrecy: "public", sources: [] },
  reversal: "undoable",
  argv: ["npm", "test"],
  binary: null,
  proof: null,
  doubt: "npm may do anything",
  confined: true,
  triable: true,
};

/** Proposals as far from honest ones as their types allow. */
function proposals(seed: number, count: number): Iterable<Proposal> {
  const below = seeded(seed);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const flag = (): boolean => below(2) === 0;
  const label = (): Label => ({
    integrity: one(["user", "agent", "untrusted"]),
    secrecy: one(["public", "public", "private", "secret"]),
    sources: [],
  });
  const effect = (): Effect => {
    const sample = one(allSampleEffects);
    const target = flag() ? sample.target : one(targets);
    const common = { target, label: label(), reversal: one(["undoable", "compensable", "final"] as const) };
    if (sample.kind === "write-path") {
      const change = one(["create", "replace"] as const);
      const later = flag() ? {} : { executedLater: "make runs it" };
      return { ...sample, ...common, change, ...later, ...(flag() ? {} : { breaks: "it is no JSON" }) };
    }
    if (sample.kind === "run-program") {
      const argv = [one(["ls", "rm", "npm", "sh"]), ...(flag() ? ["-rf", one(targets)] : [])];
      return { ...sample, ...common, argv, proof: flag() ? null : "it only reads", confined: flag() };
    }
    if (sample.kind === "call-model")
      return { ...sample, ...common, local: flag(), reservedMicrodollars: one([null, 0, 5000]) };
    return { ...sample, ...common };
  };
  const licence = (): Licence => ({
    kind: one(["approval", "flight-plan", "rule", "endorsement", "intent"]),
    name: one(["a", "b"]),
    discharges: codes.filter(() => flag()),
    effectIndexes: [0, 1, 2].filter(() => flag()),
  });
  const proposal = (): Proposal => {
    const effects = below(5) === 0 ? [tried] : Array.from({ length: 1 + below(3) }, effect);
    const findings = effects.flatMap((_, effectIndex) =>
      below(4) === 0 ? [{ rule: one(["private-key", "private-text"]), effectIndex, where: "/text" }] : [],
    );
    const facts: Facts = {
      ...sampleFacts,
      permission: one(["allow", "allow", "ask", "deny"]),
      origin: { ...sampleFacts.origin, person: one(["owner", "owner", "unproved", "other", "nobody"]) },
      action: { ...sampleFacts.action, kind: one(["proposal", "reply", "command"]) },
      sandbox: flag(),
      findings,
      licences: Array.from({ length: below(3) }, licence),
      healthy: below(8) !== 0,
      ...(below(4) === 0 ? { repeats: below(6) } : {}),
    };
    return { effects, facts };
  };
  return Iterator.from({ next: () => ({ done: false, value: proposal() }) }).take(count);
}

const strictness = { pass: 0, trial: 1, ask: 2, block: 3 } as const;
const decide = ({ effects, facts }: Proposal, gates: Gates = builtInGates): Verdict =>
  judge(gates, effects, facts);
const isAtLeast = (verdict: Verdict, other: Verdict): boolean =>
  strictness[verdict.decision] >= strictness[other.decision];

test("a recorded proposal gets the recorded verdict again, 100,000 times", () => {
  const counts = { pass: 0, trial: 0, ask: 0, block: 0 };
  for (const proposal of proposals(1, 100_000)) {
    const verdict = decide(proposal);
    counts[verdict.decision] += 1;
    const recorded = JSON.parse(JSON.stringify(proposal)) as Proposal;
    const again = decide(recorded);
    if (again.decision !== verdict.decision || again.reason !== verdict.reason)
      assert.deepEqual(again, verdict);
  }
  assert.ok(Math.min(...Object.values(counts)) > 1000, `every decision occurs: ${JSON.stringify(counts)}`);
});

test("removing a licence never loosens, and no licence turns a block", () => {
  for (const proposal of proposals(2, 10_000)) {
    const { facts } = proposal;
    const verdict = decide(proposal);
    const without = decide({ ...proposal, facts: { ...facts, licences: facts.licences.slice(1) } });
    assert.ok(isAtLeast(without, verdict));
    const bare = decide({ ...proposal, facts: { ...facts, licences: [] } });
    if (bare.decision === "block") assert.equal(verdict.decision, "block");
  }
});

test("without one of its gates the judge is never stricter, and without the owner of an effect it blocks", () => {
  for (const proposal of proposals(3, 2000)) {
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
  for (const proposal of proposals(4, 5000)) {
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
