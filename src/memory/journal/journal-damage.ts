import { dirname } from "node:path";
import { StateProblem } from "../storage/state-problem.ts";
import { type DamagedLine, describeDamage } from "./journal-files.ts";

/** The problem of a damaged journal, with the advice what to do. */
export function journalDamage(
  file: string,
  damage: DamagedLine | { readonly place: string; readonly what: string },
  options?: ErrorOptions,
): StateProblem {
  const where = "place" in damage ? `${damage.place}: ${damage.what}` : describeDamage(damage);
  return new StateProblem(
    "damaged-journal",
    `The journal ${file} is damaged at ${where}. Nothing was changed. Restore it and state.db from the same backup, or begin a new chain with: passepartout journal repair. It gives up nothing else, and keeps the damaged files in ${dirname(file)}.`,
    options,
  );
}
