import { countRequests } from "../../../reason/reflex.ts";
import { failedOutcome } from "../../../signal/failed-outcome.ts";
import { callsUsedUp, needsOwner } from "../../../signal/jobs/call-caps.ts";
import type { JobTier } from "../../../signal/jobs/job.ts";
import { lastTries } from "../../../signal/lost-race.ts";
import type { ToolResult } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { firstLine } from "./first-line.ts";

/** Why a job without a model did not make each of its calls, or one of them did not come off, however often it was tried; null where all did, and for any other job. What was refused is told otherwise. */
export function whyReflexFailed(
  { tier, text }: { readonly tier: JobTier; readonly text: string },
  turn: Turn,
): string | null {
  if (tier !== "reflex" || turn.state !== "answered") return null;
  const results = turn.messages.flatMap((message) => (message.role === "result" ? [message.result] : []));
  const isRefused = ({ outcome }: ToolResult): boolean =>
    outcome.status === "error" && (outcome.code === needsOwner || outcome.code === callsUsedUp);
  if (results.some(isRefused)) return null;
  const last = lastTries(results);
  for (const { tool, outcome } of last) {
    const failed = failedOutcome(outcome);
    if (failed !== null) return firstLine(`${tool}: ${failed}`);
  }
  return last.length < Math.max(1, countRequests(text)) ? firstLine(turn.text) : null;
}
