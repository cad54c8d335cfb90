import type { Outcome } from "../../signal/tool.ts";
import type { KeptChanges } from "../trial/command-overlays.ts";
import { endOfOutput, withNotes } from "./later-guard.ts";

/** Lines of what was not made, and of what was, that are told. */
const mostTold = 20;

/**
 * The outcome of a command by what is there now: it failed where anything that it changed over its overlay
 * could not be made in the workspace. One that was stopped, or failed otherwise, says what it changed before.
 */
export function withKept(
  outcome: Outcome,
  { done, conflicts, notes, made }: Omit<KeptChanges, "seal">,
): Outcome {
  if (conflicts.length === 0)
    return withNotes(outcome.status === "error" ? saying(outcome, made) : outcome, notes);
  const lines = [
    made.length === 0
      ? "Nothing of what the command changed was made here."
      : "Not all of what the command changed was made here.",
    ...shorten(conflicts),
    ...madeLines("This was done, and /undo takes it back:", done),
    ...notes,
  ];
  return {
    status: "error",
    code: outcome.status === "error" ? outcome.code : "not-made",
    // Where a face shows the end of a message alone, that is the reason.
    message: [saidBy(outcome), ...lines].filter((line) => line !== "").join("\n"),
    changed: made,
    ...(outcome.label === undefined ? {} : { label: outcome.label }),
  };
}

/** A failure in words, with how the command itself ended, where that is none to the command. */
export function asFailure(outcome: Outcome, { code, message, changed }: Omit<Failure, "status">): Failure {
  return {
    status: "error",
    code: outcome.status === "error" ? outcome.code : code,
    message: [saidBy(outcome), message].filter((line) => line !== "").join("\n"),
    ...(changed === undefined ? {} : { changed }),
    ...(outcome.label === undefined ? {} : { label: outcome.label }),
  };
}

/** A failure with what its command changed before it. */
function saying(outcome: Failure, made: readonly string[]): Failure {
  const lines = [outcome.message, ...madeLines("It had changed this before, and /undo takes it back:", made)];
  return { ...outcome, message: lines.join("\n"), changed: made };
}

type Failure = Extract<Outcome, { readonly status: "error" }>;

function madeLines(word: string, made: readonly string[]): readonly string[] {
  return made.length === 0 ? [] : [word, ...shorten(made)];
}

function shorten(lines: readonly string[]): readonly string[] {
  const more = lines.length - mostTold;
  return more > 0 ? [...lines.slice(0, mostTold), `And ${more} more.`] : lines;
}

function saidBy(outcome: Outcome): string {
  return outcome.status === "error" ? outcome.message : endOfOutput(outcome.content);
}
