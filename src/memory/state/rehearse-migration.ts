import { copyFileSync, rmSync } from "node:fs";
import { type Database, openDatabase } from "../storage/database.ts";
import { createPrivateFile } from "../storage/private-file.ts";
import { StateProblem } from "../storage/state-problem.ts";

/**
 * Migrates a copy of a database first, and checks it: what cannot be migrated is found before the database
 * itself is touched. Throws a `StateProblem` that says so. The copy is removed.
 */
export function rehearseMigration(
  copy: string,
  {
    apply,
    check,
  }: {
    readonly apply: (database: Database) => void;
    readonly check: (database: Database) => readonly string[];
  },
): void {
  const trial = `${copy}.trial`;
  createPrivateFile(trial);
  copyFileSync(copy, trial);
  try {
    const database = openDatabase(trial, "write");
    try {
      apply(database);
      const problems = check(database);
      if (problems.length > 0) throw new Error(problems.join("; "));
    } finally {
      database.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StateProblem(
      "failed-migration",
      `The state could not be migrated: it was tried on a copy first and failed (${why}). The state was left as it is. Go on with the version before: passepartout update back`,
      { cause: error },
    );
  } finally {
    for (const name of [trial, `${trial}-wal`, `${trial}-shm`]) rmSync(name, { force: true });
  }
}
