import type { TraceLine } from "./verdict.ts";

/** Reasons that a verdict tells. */
const most = 10;

/** What the lines of a trace with this result say, each once, as one text for the owner: a question says the same when it is asked again. */
export function reasonsIn(trace: readonly TraceLine[], result: TraceLine["result"]): string {
  const reasons = [...new Set(trace.filter((line) => line.result === result).map(({ reason }) => reason))];
  const more = reasons.length - most;
  return more > 0 ? `${reasons.slice(0, most).join("; ")}; and ${more} more` : reasons.join("; ");
}
