import type { State } from "../../memory/state/state.ts";

const prefix = "job ";

/** The name of the session in which the turns of a job run. */
export function sessionNameOf(job: string): string {
  return prefix + job;
}

/** What holds for the turns of a job's session; null for any other session. */
export async function capOfJob(
  { jobs, sessions }: Pick<State, "jobs" | "sessions">,
  session: string,
): Promise<{ readonly perTurn: number | null } | null> {
  const name = (await sessions.get(session))?.name ?? "";
  const job = name.startsWith(prefix) ? await jobs.get(name.slice(prefix.length)) : null;
  if (job?.work.kind !== "words" || job.work.session !== session) return null;
  return { perTurn: job.work.spendingCap };
}
