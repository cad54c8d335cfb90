import type { ToolResult } from "./tool.ts";

/** How often a call without a model is made at most where something else is faster each time. */
export const mostTries = 4;

/** The codes of calls that were not made because what they are about changed at that moment. */
const codes: ReadonlySet<string> = new Set(["changed", "conflict", "changed-since-judged"]);

/** Whether a call did nothing because something else changed the file at the same moment. */
export function lostRace({ outcome }: ToolResult): boolean {
  return outcome.status === "error" && codes.has(outcome.code);
}

/** The results of calls without a model, without those after which the same call was made again. */
export function lastTries(results: readonly ToolResult[]): readonly ToolResult[] {
  return results.filter((result, at) => at === results.length - 1 || !lostRace(result));
}

/** How often the last of these calls lost one after the other. */
export function racesLost(results: readonly ToolResult[]): number {
  return results.length - 1 - results.findLastIndex((result) => !lostRace(result));
}
