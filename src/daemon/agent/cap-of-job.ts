import type { State } from "../../memory/state/state.ts";

/** The name of the session in which the turns of a job run. */
export function sessionNameOf(job: string): string {
  return `job ${job}`;
}

/** What holds for the turns of a job's session; null for any other session. */
export async function capOfJob(
  { jobs }: Pick<State, "jobs">,
  session: string,
): Promise<{ readonly perTurn: number | null } | null> {
  const job = await jobs.ofSession(session);
  return job?.work.kind === "words" ? { perTurn: job.work.spendingCap } : null;
}
