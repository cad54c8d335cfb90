import { newTurn } from "../../memory/state/turns.ts";
import type { JobTier } from "../../signal/jobs/job.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Turn } from "../../signal/turn.ts";

/** The turn that words would begin a session with, or a run of a job. */
export function turnSaying(
  text: string,
  job: { readonly name: string; readonly tier: JobTier } | null,
): Turn {
  const said = { id: "first", clientId: null, session: "", source: "cli", text, depth: 0, at: 0 } as const;
  const label = { ...bottomLabel, integrity: "user" } as const;
  return newTurn(
    "first",
    job === null
      ? { ...said, sensor: "user-input", person: "owner", payload: {}, label }
      : { ...said, sensor: "cron", person: "nobody", payload: { tier: job.tier, job: job.name }, label },
    { depthLimit: 1, at: 0, attached: [] },
  );
}
