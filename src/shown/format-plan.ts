import type { PlannedStep, ProposedPlan } from "../signal/effect.ts";
import { escapeInvisible, quoteLines } from "../text/escape-invisible.ts";
import { formatDuration } from "../text/format-duration.ts";
import { describeEffect, extentWords, reversalWords } from "./describe-effect.ts";

/** Formats a proposed flight plan for a question: its steps as a numbered list, and that a yes allows nothing else. */
export function formatPlan({ steps, minutes, dollars }: ProposedPlan): readonly string[] {
  const spending = dollars === undefined ? "" : ` and $${dollars} of model calls`;
  return [
    "  do these steps of a flight plan, each without another question:",
    ...formatSteps(steps),
    `  Nothing else: no other command, path, host or call, in this session and folder only, for ${formatDuration(minutes * 60_000)}${spending} after your yes. Whatever differs asks you. Until you said yes to it, the plan is on hold.`,
  ];
}

/** Formats the steps of a plan: what each may do, whether that can be undone, and how often; of a plan in force, how often it was done. */
export function formatSteps(steps: readonly (PlannedStep & { readonly used?: number })[]): readonly string[] {
  return steps.flatMap(({ words, effects, times, used, sources = [] }, index) => [
    `  ${tick(used, times)}${index + 1}  ${escapeInvisible(words)}, ${countWords(times, used)}`,
    ...effects.flatMap((effect) => [
      `       - ${describeEffect(effect)} (${reversalWords[effect.reversal]})`,
      ...extentWords(effect).map((line) => `         ${line}`),
    ]),
    ...sources.flatMap((source) => quoteLines(source)).map((line) => `     ${line}`),
  ]);
}

function countWords(times: number, used: number | undefined): string {
  const most = times === 1 ? "once" : `at most ${times} times`;
  return used === undefined ? most : `${most}, done ${used}`;
}

function tick(used: number | undefined, times: number): string {
  if (used === undefined) return "";
  return used >= times ? "[x] " : "[ ] ";
}
