import type { Outcome } from "../../signal/tool.ts";
import type { KeptChanges } from "../trial/command-overlays.ts";
import { endOfOutput, withNotes } from "./later-guard.ts";

/** Lines of what was not made that are told. */
const mostTold = 20;

/**
 * The outcome of a command by what is there now: it failed where anything that it changed over its overlay
 * could not be made in the workspace.
 */
export function withKept(
  outcome: Outcome,
  { conflicts, notes, made }: Pick<KeptChanges, "conflicts" | "notes" | "made">,
): Outcome {
  if (conflicts.length === 0) return withNotes(outcome, notes);
  const more = conflicts.length - mostTold;
  const lines = [
    made.length === 0
      ? "Nothing of what the command changed was made here."
      : `Not all of what the command changed was made here. ${countOf(made)} made; /undo takes that back.`,
    ...conflicts.slice(0, mostTold),
    ...(more > 0 ? [`And ${more} more.`] : []),
    ...notes,
  ];
  return {
    status: "error",
    code: outcome.status === "error" ? outcome.code : "not-made",
    message: [...lines, saidBy(outcome)].filter((line) => line !== "").join("\n"),
    changed: made,
    ...(outcome.label === undefined ? {} : { label: outcome.label }),
  };
}

function countOf(made: readonly string[]): string {
  return made.length === 1 ? "1 change was" : `${made.length} changes were`;
}

function saidBy(outcome: Outcome): string {
  return outcome.status === "error" ? outcome.message : endOfOutput(outcome.content);
}
