import type { State } from "../../../memory/state/state.ts";
import { type CallCaps, noCallCaps } from "../../../signal/call-caps.ts";
import { isJobSignal, isTextRequest } from "../../../signal/signal.ts";

/** The name of the session in which the turns of a job run. */
export function sessionNameOf(job: string): string {
  return `job ${job}`;
}

/** The job whose turns run in a session of this name; null for another name. */
export function jobOfSessionName(name: string): string | null {
  return /^job (.+)$/.exec(name)?.[1] ?? null;
}

/** What a turn may spend in a job's session, in millionths of a dollar, and the job whose run it is; null where there is no cap, and where it is no run. */
export type CapOfJob = {
  readonly perTurn: number | null;
  readonly run: string | null;
  /** How often the run may call. */
  readonly calls: CallCaps;
};

/** What holds for a turn in a job's session, and for what the program itself asks of a model; null for any other turn. What the owner says there is no run, so the cap of a run is not its cap. */
export async function capOfJob(
  { jobs, turns }: Pick<State, "jobs" | "turns">,
  { session, turn: id }: { readonly session: string; readonly turn: string },
): Promise<CapOfJob | null> {
  const job = await jobs.ofSession(session);
  const turn = await turns.get(id);
  if (turn !== null && isTextRequest(turn.signal))
    return { perTurn: null, run: String(turn.signal.payload["job"]), calls: noCallCaps };
  if (job?.work.kind !== "words") return null;
  const isRun = turn === null || isJobSignal(turn.signal);
  const { spendingCap, calls = noCallCaps } = job.work;
  return isRun
    ? { perTurn: spendingCap, run: job.name, calls }
    : { perTurn: null, run: null, calls: noCallCaps };
}
