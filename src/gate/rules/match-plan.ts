import type { Effect, Extent, PlannedStep, ServiceAct } from "../../signal/effect.ts";
import type { FlightPlan, PlanAllowance } from "../../signal/flight-plan.ts";
import type { Ask, Verdict } from "../../signal/verdict.ts";
import { isInside } from "../../text/is-inside.ts";
import { canonicalJson } from "../../text/json.ts";
import { ruleEffectOf } from "./match-rule.ts";
import { dischargeable, type RuleEffect } from "./rule.ts";

/** A call that asks: where, by which command line, and what. */
export type AskingCall = {
  readonly workspace: string | null;
  readonly command: string | null;
  readonly effects: readonly Effect[];
  readonly asks: readonly Ask[];
};

/** What a plan allows of a call: all that the call asks, by steps that are not used up, or null. A call that asks for anything else is put to the owner as a whole. */
export function allowanceOfPlan(
  plan: FlightPlan,
  { workspace, command, effects, asks }: AskingCall,
): PlanAllowance | null {
  if (workspace !== plan.workspace || asks.length === 0) return null;
  const allowed = asks.map(({ code, effectIndex }) => {
    const effect = effects[effectIndex];
    const step =
      effect === undefined
        ? -1
        : plan.steps.findIndex(
            (one) => one.used < one.times && codesAllowed(one, { workspace, command, effect }).includes(code),
          );
    return { code, effectIndex, step };
  });
  if (allowed.some(({ step }) => step < 0)) return null;
  return {
    licences: allowed.map(({ code, effectIndex, step }) => ({
      kind: "flight-plan" as const,
      name: `step ${step + 1}`,
      discharges: [code],
      effectIndexes: [effectIndex],
    })),
    use: { session: plan.session, plan: plan.id, steps: [...new Set(allowed.map(({ step }) => step))] },
  };
}

/**
 * Whether a step asks at all, and why a plan cannot allow it, in words: null if it can. Deletions that no
 * undo brings back, what is executed later, keys, private hosts and programs without a sandbox ask each time.
 */
export type StepVerdict = { readonly asks: boolean; readonly problem: string | null };

/** What the verdict on a proposed step means for its plan. */
export function verdictOnStep(
  step: Omit<PlannedStep, "words" | "times">,
  workspace: string | null,
  { decision, reason, asks }: Verdict,
): StepVerdict {
  if (decision === "block") return { asks: false, problem: `it would be refused: ${reason}` };
  const isPlannable = ({ code, effectIndex }: Ask): boolean => {
    const effect = step.effects[effectIndex];
    return (
      effect !== undefined && codesAllowed(step, { workspace, command: step.command, effect }).includes(code)
    );
  };
  // What a command deletes is tried first, and asks then.
  const deletes = step.effects.some(({ kind }) => kind === "delete-path");
  return {
    asks: decision === "ask" || deletes,
    problem: asks.every(isPlannable) ? null : `it asks each time: ${reason}`,
  };
}

type SeenStep = Pick<PlannedStep, "command" | "effects" | "keeps">;
type SeenEffect = {
  readonly workspace: string | null;
  readonly command: string | null;
  readonly effect: Effect;
};

/** The asks that a step discharges on an effect; none where it is about anything else. */
function codesAllowed(step: SeenStep, seen: SeenEffect): readonly string[] {
  return [...codesOfSeen(step, seen), ...codesOfDeletion(step, seen), ...codesOfKept(step, seen)];
}

/**
 * A command deletes in its trial what the plan named, no more files than were seen then, and an undo brings
 * them back.
 */
function codesOfDeletion(step: SeenStep, { workspace, command, effect }: SeenEffect): readonly string[] {
  if (workspace === null || command === null || command !== step.command) return [];
  if (effect.label.secrecy !== "public" || effect.reversal !== "undoable") return [];
  const kinds = ["run-program", "read-path", "delete-path"];
  if (!step.effects.every(({ kind }) => kinds.includes(kind))) return [];
  const deleted = step.effects.flatMap(({ kind, target }) => (kind === "delete-path" ? [target] : []));
  if (effect.kind === "run-program") {
    const words = canonicalJson(effect.argv);
    const seen = step.effects.find((one) => one.kind === "run-program" && canonicalJson(one.argv) === words);
    const size = seen?.kind === "run-program" ? Math.max(1, sizeOf(seen.extent)) : 0;
    return effect.confined && deleted.length > 0 && sizeOf(effect.extent) <= size ? ["extent"] : [];
  }
  const isSeen = effect.kind === "delete-path" && deleted.includes(effect.target);
  return isSeen && isInside(workspace, effect.target) ? ["delete-existing"] : [];
}

/** How many files a command is about by itself. */
function sizeOf(extent: Extent | undefined): number {
  return extent === undefined ? 0 : (extent.count ?? Number.POSITIVE_INFINITY) - (extent.earlier ?? 0);
}

/**
 * What a command that the owner wrote may do besides what was seen when they allowed it: delete and replace
 * in its folder what can be undone, however many files. All that a command changed in its trial counts as
 * words of others, and is allowed likewise. What is executed later counts only as it was seen.
 */
function codesOfKept(
  { keeps, ...step }: SeenStep,
  { workspace, command, effect }: SeenEffect,
): readonly string[] {
  if (keeps !== true || workspace === null || command === null || command !== step.command) return [];
  if (effect.label.secrecy !== "public") return [];
  if (effect.kind === "run-program") return effect.confined ? ["extent"] : [];
  if (effect.kind !== "delete-path" && effect.kind !== "write-path") return [];
  if (effect.reversal !== "undoable" || !isInside(workspace, effect.target)) return [];
  if (
    effect.kind === "write-path" &&
    (effect.lifts ?? effect.breaks ?? effect.opens ?? effect.gets) !== undefined
  )
    return [];
  // How many files a trial deletes stands at the folder itself; each of them is judged beside it.
  if (effect.target === workspace)
    return effect.kind === "write-path" && effect.extent !== undefined ? ["extent"] : [];
  const words = canonicalJson(effect);
  const isSeen =
    effect.label.integrity !== "untrusted" &&
    step.effects.some((one) => canonicalJson({ ...one, label: effect.label }) === words);
  const later = effect.kind === "delete-path" ? "delete-executed-later" : "write-executed-later";
  return ["delete-existing", "extent", ...(isSeen ? [later] : [])];
}

/** The asks that a step discharges on an effect that was seen when it was allowed. */
function codesOfSeen(step: SeenStep, { command, effect }: SeenEffect): readonly string[] {
  const asked = plannedEffectOf(effect);
  if (asked === null || effect.label.secrecy !== "public") return [];
  if (asked.kind === "run-program" && (command === null || command !== step.command)) return [];
  if (asked.kind === "write-path" && effect.label.integrity === "untrusted") return [];
  const words = canonicalJson(asked);
  const isSeen = step.effects.some((seen) => canonicalJson(plannedEffectOf(seen)) === words);
  return isSeen ? codesOf(asked) : [];
}

/** A call of a service as far as a plan looks at it: all that decides over it, and none of the texts that it carries. */
type PlannedCall = {
  readonly kind: "use-service";
  readonly target: string;
  readonly service: string;
  readonly act: ServiceAct;
  readonly decides: string;
};

/** An effect as far as plans look at it; null for one that asks each time. */
function plannedEffectOf(effect: Effect): RuleEffect | PlannedCall | null {
  // A step may write the script that a later one runs.
  if (effect.kind === "run-program") {
    const { scripts: _, ...seen } = effect;
    return ruleEffectOf(seen);
  }
  if (effect.kind !== "use-service") return ruleEffectOf(effect);
  const { kind, target, service, act, decides } = effect;
  return decides === undefined ? null : { kind, target, service, act, decides };
}

/** The asks that a step may discharge. Of a call, the act and the values that decide over it; an address inside its texts asks by itself. */
function codesOf({ kind }: RuleEffect | PlannedCall): readonly string[] {
  return kind === "use-service" ? ["service-act", "foreign-value"] : [dischargeable[kind]];
}
