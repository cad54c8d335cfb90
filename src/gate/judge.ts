import type { Effect, EffectKind } from "../signal/effect.ts";
import type { Facts } from "../signal/facts.ts";
import { reasonsIn } from "../signal/reasons-in.ts";
import type { Ask, TraceLine, Verdict } from "../signal/verdict.ts";
import { canonicalJson } from "../text/json.ts";
import { oneLine } from "../text/visible.ts";
import { actionProblem } from "./action-problem.ts";
import { type GateAnswer, readGateAnswer } from "./answer.ts";
import { remedyFor } from "./remedies.ts";

/** A pure rule. Any unclear answer blocks: an exception, a promise, nothing, an unknown word. `revision` goes up whenever its answers change. */
export type Gate = {
  readonly name: string;
  readonly priority: number;
  readonly revision: number;
  readonly answer: (effect: Effect, facts: Facts, index: number) => GateAnswer;
};

/** Each kind of effect has one owner gate, and only its consent covers the effect. The others can only object. */
export type Gates = { readonly owners: Readonly<Record<EffectKind, Gate>>; readonly others: readonly Gate[] };

/** Judges one action. The strictest answer wins, in any order of gates. A licence discharges the asks that it names on the effects that it is bound to, never a block. Never throws: a failure blocks. */
export function judge(gates: Gates, effects: readonly Effect[], facts: Facts): Verdict {
  try {
    const problem = actionProblem(effects, facts);
    return problem === null ? decide(gates, effects, facts) : refusal(problem);
  } catch (error) {
    return refusal(`the judge failed: ${wordsOf(error)}`);
  }
}

/** Describes a set of gates by names, priorities and revisions: equal text for equal sets in any order. The journal keeps its hash. */
export function describeGates(gates: Gates): string {
  const described = (gate: Gate): string => canonicalJson([gate.name, gate.priority, gate.revision]);
  const owners = Object.entries(gates.owners).map(([kind, gate]) => [kind, described(gate)] as const);
  return canonicalJson({ owners: Object.fromEntries(owners), others: gates.others.map(described).sort() });
}

type Entry = {
  readonly gate: string;
  readonly priority: number;
  readonly result: TraceLine["result"];
  readonly reason: string;
  readonly ask: Ask | null;
  /** The code of a block. */
  readonly code?: string;
};

function decide(gates: Gates, effects: readonly Effect[], facts: Facts): Verdict {
  if (!Array.isArray(gates.others)) return refusal("the set of gates cannot be read");
  const licences = dischargedBy(facts);
  const lines = new Map<string, { readonly entry: Entry; readonly effects: number[] }>();
  const asks: Ask[] = [];
  const blocks: string[] = [];
  for (const [index, effect] of effects.entries()) {
    for (const entry of entriesOf(gates, effect, index, { facts, licences })) {
      const key = JSON.stringify([entry.priority, entry.gate, entry.result, entry.reason]);
      const line = lines.get(key);
      if (line === undefined) lines.set(key, { entry, effects: [index] });
      else if (line.effects.at(-1) !== index) line.effects.push(index);
      if (entry.ask !== null) asks.push(entry.ask);
      if (entry.code !== undefined) blocks.push(entry.code);
    }
  }
  const sorted = [...lines.values()].sort(
    (a, b) =>
      byPriority(a.entry, b.entry) || (a.effects[0] ?? 0) - (b.effects[0] ?? 0) || byWords(a.entry, b.entry),
  );
  const trace = sorted.map(({ entry: { gate, result, reason }, effects: indexes }) => ({
    gate,
    result,
    reason,
    effects: indexes,
  }));
  const verdict = conclude(trace, asks.sort(byAsk));
  const remedy = remedyFor(
    (verdict.decision === "block" ? blocks : verdict.asks.map(({ code }) => code)).toSorted(),
  );
  return remedy === null ? verdict : { ...verdict, instead: remedy };
}

function conclude(trace: readonly TraceLine[], asks: readonly Ask[]): Verdict {
  if (trace.some((line) => line.result === "blocked")) {
    return { decision: "block", reason: reasonsIn(trace, "blocked"), trace, asks };
  }
  if (trace.some((line) => line.result === "approval")) {
    const decision = asks.every(({ trial }) => trial === true) ? "trial" : "ask";
    return { decision, reason: reasonsIn(trace, "approval"), trace, asks };
  }
  return { decision: "pass", reason: "", trace, asks };
}

type Given = { readonly facts: Facts; readonly licences: ReadonlyMap<string, string> };

function entriesOf(gates: Gates, effect: Effect, index: number, given: Given): readonly Entry[] {
  const owner = Object.hasOwn(gates.owners, effect.kind) ? gates.owners[effect.kind] : undefined;
  const entries: Entry[] = [];
  if (owner === undefined)
    entries.push(blocked("coverage", 0, `no gate owns effects of the kind ${effect.kind}`));
  else entries.push(entryOf(owner, effect, index, given) ?? uncovered(owner, effect));
  for (let place = 0; place < gates.others.length; place++) {
    const gate = gates.others[place];
    if (gate === undefined) entries.push(blocked("coverage", 0, "a gate is missing from the set"));
    else if (gate !== owner) {
      const entry = entryOf(gate, effect, index, given);
      if (entry !== null) entries.push(entry);
    }
  }
  return entries;
}

/** Null if the gate is not concerned. */
function entryOf(gate: Gate, effect: Effect, index: number, { facts, licences }: Given): Entry | null {
  let name = "unnamed gate";
  let priority = 0;
  try {
    if (typeof gate.name !== "string" || gate.name === "" || !Number.isFinite(gate.priority)) {
      return blocked(name, priority, "a gate has no name or no priority");
    }
    ({ name, priority } = gate);
    const answer = readGateAnswer(gate.answer(effect, facts, index));
    if (answer === null)
      return blocked(name, priority, `the gate ${name} gave an answer that cannot be read`);
    if (answer.result === "not-concerned") return null;
    if (answer.result === "passed")
      return { gate: name, priority, result: "passed", reason: answer.reason, ask: null };
    if (answer.result === "block") return { ...blocked(name, priority, answer.reason), code: answer.code };
    const licence = licences.get(dischargeKey(index, answer.code));
    return licence === undefined
      ? {
          gate: name,
          priority,
          result: "approval",
          reason: answer.reason,
          ask: {
            gate: name,
            code: answer.code,
            effectIndex: index,
            ...(answer.trial === true ? { trial: true } : {}),
          },
        }
      : {
          gate: name,
          priority,
          result: "passed",
          reason: `${answer.reason}; allowed by ${licence}`,
          ask: null,
        };
  } catch (error) {
    return blocked(name, priority, `the gate ${name} failed: ${wordsOf(error)}`);
  }
}

function blocked(gate: string, priority: number, reason: string): Entry {
  return { gate, priority, result: "blocked", reason, ask: null };
}

function uncovered(owner: Gate, effect: Effect): Entry {
  return blocked(
    owner.name,
    owner.priority,
    `the gate ${owner.name} owns ${effect.kind} and did not cover this effect`,
  );
}

/** Maps each discharged ask on each effect to its licence; of several licences, to the first by name. */
function dischargedBy(facts: Facts): ReadonlyMap<string, string> {
  const discharged = new Map<string, string>();
  for (const { kind, name, discharges, effectIndexes } of facts.licences) {
    for (const index of effectIndexes) {
      for (const code of discharges) {
        const key = dischargeKey(index, code);
        const words = `${kind} ${oneLine(name)}`;
        const known = discharged.get(key);
        if (known === undefined || words < known) discharged.set(key, words);
      }
    }
  }
  return discharged;
}

function dischargeKey(index: number, code: string): string {
  return JSON.stringify([index, code]);
}

function refusal(reason: string): Verdict {
  return {
    decision: "block",
    reason,
    trace: [{ gate: "coverage", result: "blocked", reason, effects: [] }],
    asks: [],
  };
}

function byPriority(a: Entry, b: Entry): number {
  return b.priority - a.priority || (a.gate < b.gate ? -1 : a.gate > b.gate ? 1 : 0);
}

function byWords(a: Entry, b: Entry): number {
  const [left, right] = [`${a.result} ${a.reason}`, `${b.result} ${b.reason}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

function byAsk(a: Ask, b: Ask): number {
  const [left, right] = [`${a.gate} ${a.code}`, `${b.gate} ${b.code}`];
  return a.effectIndex - b.effectIndex || (left < right ? -1 : left > right ? 1 : 0);
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? oneLine(error.message) : "it threw a value that is not an error";
  } catch {
    return "it threw a value that cannot be read";
  }
}
