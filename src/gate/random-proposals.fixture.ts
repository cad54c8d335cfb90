import type { Effect } from "../signal/effect.ts";
import type { Facts, Licence } from "../signal/facts.ts";
import type { Label } from "../signal/label.ts";
import { allSampleEffects } from "./sample-action.fixture.ts";
import { sampleFacts } from "./sample-action.ts";

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

/** What the judge is asked about. */
export type Proposal = { readonly effects: readonly Effect[]; readonly facts: Facts };

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

/** Proposals as far from honest ones as their types allow, the same for a seed on every machine. */
export function proposals(seed: number, count: number): Iterable<Proposal> {
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
      const marks = {
        ...(flag() ? {} : { breaks: "it is no JSON" }),
        ...(flag() ? {} : { opens: "640 → 644" }),
        ...(flag() ? {} : { gets: "gets the permissions 000" }),
      };
      return { ...sample, ...common, change, ...later, ...marks };
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
      ...(below(8) === 0 ? { unreadWords: flag() } : {}),
      ...(below(8) === 0 ? { disagreement: "another model would do nothing" } : {}),
    };
    return { effects, facts };
  };
  return Iterator.from({ next: () => ({ done: false, value: proposal() }) }).take(count);
}
