import type { State } from "../../../memory/state/state.ts";
import { type CallCaps, noCallCaps } from "../../../signal/jobs/call-caps.ts";
import type { JobRun } from "../../../signal/jobs/job.ts";
import { isJobSignal, isTextRequest } from "../../../signal/signal.ts";
import type { Turn } from "../../../signal/turn.ts";

/** The name of the session in which the turns of a job run. */
export function sessionNameOf(job: string): string {
  return `job ${job}`;
}

/** The job whose turns run in a session of this name; null for another name. */
export function jobOfSessionName(name: string): string | null {
  return /^job (.+)$/.exec(name)?.[1] ?? null;
}

/** The id of the signal with which an attempt of a run begins. */
export function signalOfRun({ job, scheduled }: Pick<JobRun, "job" | "scheduled">, attempt: number): string {
  return `job/${job}/${scheduled}/${attempt}`;
}

/** What a turn in the session of a job may spend, in millionths of a dollar, and the job whose run it is; null where there is no cap, and where it is no run. */
export type CapOfJob = {
  readonly perTurn: number | null;
  readonly run: string | null;
  /** How often the run may call. */
  readonly calls: CallCaps;
  /** The turns of the attempts that failed before: the caps are for all attempts of a run together. */
  readonly earlierTurns?: readonly string[];
};

/** The caps of a turn in a job's session, and of what the program itself asks of a model there; null for any other turn. The caps of a run do not limit what the owner says there. */
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
  if (!isRun) return { perTurn: null, run: null, calls: noCallCaps };
  const earlier = turn === null ? [] : await earlierTurns(turns, turn);
  return {
    perTurn: spendingCap,
    run: job.name,
    calls,
    ...(earlier.length === 0 ? {} : { earlierTurns: earlier }),
  };
}

async function earlierTurns(turns: State["turns"], { session, signal }: Turn): Promise<readonly string[]> {
  const [, run = "", attempt = "0"] = /^(.*\/)(\d+)$/.exec(signal.id) ?? [];
  const ids = Array.from({ length: Number(attempt) }, (_, number) => `${run}${number}`);
  const found = await Promise.all(ids.map((id) => turns.ofClient(session, id)));
  return found.flatMap((earlier) => (earlier === null ? [] : [earlier.id]));
}
