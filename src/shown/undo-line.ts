import type { Effect, Reversal } from "../signal/effect.ts";
import { isInside } from "../text/is-inside.ts";

/** How far what was asked about can be taken back. */
export const undoWords: Readonly<Record<Reversal, string>> = {
  undoable: "Can be undone.",
  compensable: "Can be compensated, not undone.",
  final: "Cannot be undone.",
};

/** Effects, with those that the steps of a plan among them would have. */
function withSteps(effects: readonly Effect[]): readonly Effect[] {
  return effects.flatMap((effect) => {
    const steps = effect.kind === "change-memory" ? (effect.plan?.steps ?? []) : [];
    return [effect, ...steps.flatMap((step) => step.effects)];
  });
}

/** The reversal of the effect that can be taken back least; of a plan, of its steps. */
export function worst(effects: readonly Effect[]): Reversal {
  const found = new Set(withSteps(effects).map(({ reversal }) => reversal));
  return found.has("final") ? "final" : found.has("compensable") ? "compensable" : "undoable";
}

/** Whether what was asked about can be undone, and, where it cannot, why. */
export function undoLine(effects: readonly Effect[], workspace: string | null): string {
  const reversal = worst(effects);
  if (reversal !== "final") return undoWords[reversal];
  const reasons = new Set(withSteps(effects).flatMap((effect) => whyFinal(effect, workspace) ?? []));
  const all = reasons.size === 0 ? [nothingKept] : [...reasons];
  return `Cannot be undone: ${all.join(", and ")}.`;
}

const nothingKept = "no earlier version of what it changes is kept";

/** Why an effect cannot be undone; null where it can, or where its other effects say why. */
function whyFinal(effect: Effect, workspace: string | null): string | null {
  if (effect.reversal !== "final") return null;
  switch (effect.kind) {
    case "reach-host":
    case "call-model":
      return "it reaches the network";
    case "tell-person":
      return "what is told stays told";
    case "use-service":
      return "it acts in an outside service";
    case "write-path":
    case "delete-path":
      return workspace !== null && isInside(workspace, effect.target)
        ? nothingKept
        : "it changes what is outside of the workspace";
    case "change-memory":
      return "it gives up what is kept";
    case "run-program":
      return effect.confined ? null : "it runs without a sandbox";
    case "read-path":
    case "evaluate":
      return null;
  }
}
