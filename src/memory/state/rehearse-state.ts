import { rmSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../storage/database.ts";
import { createPrivateFile, makePrivateFolder } from "../storage/private-file.ts";
import { integrityProblems, versionOf } from "./migrate.ts";
import { versionOfState } from "./put-older-state-back.ts";
import { databaseVersion } from "./schema.ts";
import { prepareDatabase } from "./versions.ts";

/**
 * Migrates and checks a copy of a state, which a process may be writing. Says what it found; throws a
 * `StateProblem` where the copy cannot be migrated.
 */
export function rehearseState(folder: string): string {
  const version = versionOfState(folder);
  if (version === null) return "There is no state yet.";
  const staging = join(folder, `rehearsal-${process.pid}`);
  makePrivateFolder(staging);
  const copy = join(staging, "state.db");
  createPrivateFile(copy);
  try {
    const database = openDatabase(join(folder, "state.db"), "read");
    database.run("VACUUM INTO ?", copy);
    database.close();
    const trial = openDatabase(copy, "write");
    prepareDatabase(trial, copy);
    const problems = integrityProblems(trial);
    const reached = versionOf(trial);
    trial.close();
    if (problems.length > 0 || reached !== databaseVersion) throw new Error(problems.join("; "));
    return version === databaseVersion
      ? `The state has version ${version}, which this program writes.`
      : `A copy of the state was migrated from version ${version} to ${databaseVersion} and checked. The state itself was left as it is.`;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
