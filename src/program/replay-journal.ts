import type { JournalEntry } from "../signal/journal-entry.ts";
import type { Judge } from "../signal/verdict.ts";

/** The result of judging the recorded effects and facts again. */
export type ReplayReport = {
  readonly judged: number;
  readonly same: number;
  /** How many verdicts another set of gates than today's gave; left out where none did. */
  readonly byOtherGates?: number;
  /** Other decisions by another set of gates than the recorded one: not faults. */
  readonly newer: number;
  /** The first of them. */
  readonly changed?: readonly OtherDecision[];
  /** Other decisions by the same gates. */
  readonly faults: readonly OtherDecision[];
};

/** A recorded decision that today's judge does not give. `reason` is today's; empty where it passes. */
type OtherDecision = {
  readonly sequence: number;
  readonly recorded: string;
  readonly today: string;
  readonly reason: string;
};

/** How many changed decisions are named. */
const mostChanged = 100;

/** Judges every recorded verdict again. */
export async function replayJournal(
  entries: AsyncIterable<JournalEntry>,
  judge: Judge,
  gates: string,
): Promise<ReplayReport> {
  let judged = 0;
  let same = 0;
  let newer = 0;
  let byOtherGates = 0;
  const changed: OtherDecision[] = [];
  const faults: OtherDecision[] = [];
  for await (const entry of entries) {
    if (entry.verdict === null || entry.facts === null) continue;
    judged += 1;
    const { decision: today, reason } = judge(entry.effects, entry.facts);
    const isOther = entry.gates !== gates;
    if (isOther) byOtherGates += 1;
    if (today === entry.verdict) {
      same += 1;
      continue;
    }
    const other = { sequence: entry.sequence, recorded: entry.verdict, today, reason };
    if (!isOther) faults.push(other);
    else {
      newer += 1;
      if (changed.length < mostChanged) changed.push(other);
    }
  }
  return { judged, same, newer, ...(byOtherGates === 0 ? {} : { byOtherGates, changed }), faults };
}
