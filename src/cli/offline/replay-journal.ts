import type { Journal } from "../../memory/journal/journal.ts";
import type { Judge } from "../../signal/verdict.ts";

/** The result of judging the recorded effects and facts again. */
export type ReplayReport = {
  readonly judged: number;
  readonly same: number;
  /** Other decisions by another set of gates than the recorded one: not faults. */
  readonly newer: number;
  /** Other decisions by the same gates. */
  readonly faults: readonly {
    readonly sequence: number;
    readonly recorded: string;
    readonly today: string;
  }[];
};

/** Judges every recorded verdict again. */
export async function replayJournal(journal: Journal, judge: Judge, gates: string): Promise<ReplayReport> {
  let judged = 0;
  let same = 0;
  let newer = 0;
  const faults: { readonly sequence: number; readonly recorded: string; readonly today: string }[] = [];
  for await (const entry of journal.entries()) {
    if (entry.verdict === null || entry.facts === null) continue;
    judged += 1;
    const today = judge(entry.effects, entry.facts).decision;
    if (today === entry.verdict) same += 1;
    else if (entry.gates !== gates) newer += 1;
    else faults.push({ sequence: entry.sequence, recorded: entry.verdict, today });
  }
  return { judged, same, newer, faults };
}
