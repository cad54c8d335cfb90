import type { Effect } from "./effect.ts";
import type { Label } from "./label.ts";

/** The kinds of critical effects that several models can be asked about. `final`: what runs or changes and cannot be taken back. */
export const consensusKinds = ["delete", "spend", "tell", "final"] as const;
export type ConsensusKind = (typeof consensusKinds)[number];

/** What other models said to an answer: what each proposed, or that it gave nothing; null where all would do the same. The label is that of all that they were sent. */
export type Opinion = { readonly disagreement: string | null; readonly label: Label };

/** What other models said to the critical calls of one answer. */
export type Consensus = Opinion & {
  /** The place of the answer among the messages of its turn. */
  readonly answer: number;
  /** The ids of these calls: a call stays critical when what it would do changes before it runs. */
  readonly calls: readonly string[];
};

/** Whether an effect is critical in one of these ways. Reading, fetching and answering the owner never are. */
export function isCritical(effect: Effect, kinds: readonly ConsensusKind[]): boolean {
  return kinds.some((kind) => isOfKind(effect, kind));
}

function isOfKind(effect: Effect, kind: ConsensusKind): boolean {
  switch (kind) {
    case "delete":
      return (
        effect.kind === "delete-path" ||
        (effect.kind === "use-service" && effect.act === "delete") ||
        ((effect.kind === "run-program" || effect.kind === "write-path") && effect.extent !== undefined)
      );
    case "spend":
      return effect.kind === "use-service" && effect.act === "pay";
    case "tell":
      return (
        (effect.kind === "tell-person" && effect.person !== "owner") ||
        (effect.kind === "use-service" && effect.act === "send")
      );
    case "final":
      return effect.reversal === "final" && isChange(effect);
  }
}

function isChange(effect: Effect): boolean {
  switch (effect.kind) {
    case "write-path":
    case "delete-path":
    case "change-memory":
      return true;
    case "run-program":
      return effect.proof === null;
    case "use-service":
      return effect.act !== "read" && effect.act !== "fetch";
    case "tell-person":
      return effect.person !== "owner";
    case "read-path":
    case "reach-host":
    case "call-model":
    case "evaluate":
      return false;
  }
}
