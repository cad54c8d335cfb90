import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../storage/database.ts";
import { createPrivateFile, syncPath } from "../storage/private-file.ts";
import { text } from "../storage/rows.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { integrityProblems, verifiedCopy, versionOf } from "./migrate.ts";

/**
 * What became of a state that was put back: the copy that was taken, where the newer state is now, and how
 * many turns only that one has.
 */
export type OlderState = { readonly from: string; readonly aside: string; readonly turns: number };

/** The version of the database of a state folder; null where there is none. */
export function versionOfState(folder: string): number | null {
  const file = join(folder, "state.db");
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return null;
  const database = openDatabase(file, "read");
  try {
    return versionOf(database);
  } finally {
    database.close();
  }
}

/**
 * Puts the copy that a migration made of the state before it in the place of the state, for a program that
 * knows the state up to a version. The newer state is kept beside it. The folder must be locked. Throws a
 * `StateProblem` where there is no such copy.
 */
export function putOlderStateBack(folder: string, version: number): OlderState {
  const file = join(folder, "state.db");
  const from = findCopy(folder, version);
  const database = openDatabase(file, "write");
  let aside: string;
  let turns: number;
  try {
    aside = verifiedCopy(database, file, versionOf(database));
    database.run("ATTACH DATABASE ? AS older", from);
    const only = "SELECT count(*) || '' AS turns FROM turns WHERE id NOT IN (SELECT id FROM older.turns)";
    turns = Number(text(database.get(only) ?? {}, "turns"));
    database.script("DETACH DATABASE older; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
  } finally {
    database.close();
  }
  const fresh = `${file}.older`;
  rmSync(fresh, { force: true });
  createPrivateFile(fresh);
  copyFileSync(from, fresh);
  syncPath(fresh);
  renameSync(fresh, file);
  syncPath(folder);
  return { from, aside, turns };
}

/** The newest whole copy of a version that this one can read. */
function findCopy(folder: string, version: number): string {
  const copies = readdirSync(folder)
    .filter((name) => /^backup-\d+(?:-\d+)?\.db$/.test(name))
    .map((name) => join(folder, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  const found = copies.find((path) => isWhole(path, version));
  if (found !== undefined) return found;
  throw new StateProblem(
    "missing",
    `There is no copy of the state of version ${version} in ${folder}, so nothing was changed. A backup that you made has it: passepartout restore FILE`,
  );
}

function isWhole(path: string, version: number): boolean {
  const database = openDatabase(path, "read");
  try {
    return versionOf(database) === version && integrityProblems(database).length === 0;
  } finally {
    database.close();
  }
}
