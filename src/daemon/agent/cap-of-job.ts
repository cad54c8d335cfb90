import type { State } from "../../memory/state/state.ts";
import { isJobSignal } from "../../signal/signal.ts";

/** The name of the session in which the turns of a job run. */
export function sessionNameOf(job: string): string {
  return `job ${job}`;
}

/** What holds for a turn in a job's session; null in any other session. What the owner says there is no run, so the cap of a run is not its cap. */
export async function capOfJob(
  { jobs, turns }: Pick<State, "jobs" | "turns">,
  { session, turn: id }: { readonly session: string; readonly turn: string },
): Promise<{ readonly perTurn: number | null } | null> {
  const job = await jobs.ofSession(session);
  if (job?.work.kind !== "words") return null;
  const turn = await turns.get(id);
  return { perTurn: turn === null || isJobSignal(turn.signal) ? job.work.spendingCap : null };
}
