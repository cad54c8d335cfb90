import { dirname } from "node:path";
import { StateProblem } from "../storage/state-problem.ts";

/** The problem of a damaged journal, with the advice what to do. */
export function journalDamage(
  file: string,
  entry: number,
  what: string,
  options?: ErrorOptions,
): StateProblem {
  return new StateProblem(
    "damaged-journal",
    `The journal ${file} is damaged at entry ${entry}: ${what}. Nothing was changed. Restore it and state.db from the same backup, or move ${dirname(file)} aside to start with an empty state.`,
    options,
  );
}
