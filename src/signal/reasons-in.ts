import type { TraceLine } from "./verdict.ts";

/** Reasons that a verdict tells. */
const most = 10;

/** What the lines of a trace with this result say, each once, as one text for the owner: a question says the same when it is asked again. */
export function reasonsIn(trace: readonly TraceLine[], result: TraceLine["result"]): string {
  const reasons = [...new Set(trace.filter((line) => line.result === result).map(({ reason }) => reason))];
  const told = withoutSharedEnds(reasons.slice(0, most)).join("; ");
  const more = reasons.length - most;
  return more > 0 ? `${told}; and ${more} more` : told;
}

/**
 * Reasons whose last clause stands once: with the last reason that ends in it. A clause quotes no command.
 */
function withoutSharedEnds(reasons: readonly string[]): readonly string[] {
  const ends = reasons.map((reason) => /; [^;`]*$/.exec(reason)?.[0] ?? null);
  return reasons.map((reason, index) => {
    const end = ends[index] ?? null;
    return end !== null && ends.lastIndexOf(end) > index ? reason.slice(0, -end.length) : reason;
  });
}
