import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, openDatabase } from "../storage/database.ts";
import { createPrivateFile, syncPath } from "../storage/private-file.ts";
import { integer, text } from "../storage/rows.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { rehearseMigration } from "./rehearse-migration.ts";

/** Brings a database from one version to the next; runs inside the migration's transaction. */
export type MigrationStep = { readonly from: number; readonly apply: (database: Database) => void };

/** The version of an open database. */
export function versionOf(database: Database): number {
  const row = database.get("PRAGMA user_version");
  return row === undefined ? 0 : integer(row, "user_version");
}

/**
 * Migrates a database to the wanted version in one transaction, after a copy `backup-<version>.db` beside it
 * was made and verified, and the migration was rehearsed on a copy of that. Throws a `StateProblem` for a
 * newer database, and where the rehearsal fails. Describes what was done; empty if nothing was.
 */
export function migrate(
  database: Database,
  file: string,
  wanted: number,
  steps: readonly MigrationStep[],
): readonly string[] {
  const found = versionOf(database);
  refuseNewer(file, found, wanted);
  if (found === wanted) return [];
  const chain: MigrationStep[] = [];
  for (let version = found; version < wanted; version += 1) {
    const step = steps.find(({ from }) => from === version);
    if (step === undefined) throw new Error(`no migration leads from version ${version} of ${file}`);
    chain.push(step);
  }
  const copy = verifiedCopy(database, file, found);
  const apply = (to: Database): void =>
    to.transaction("forced", () => {
      for (const step of chain) step.apply(to);
      to.script(`PRAGMA user_version = ${wanted}`);
    });
  rehearseMigration(copy, { apply, check: integrityProblems });
  apply(database);
  return [
    `${file} was migrated from version ${found} to ${wanted}. A copy of the older state is in ${copy}.`,
  ];
}

/** Throws if a database was written by a newer program than this one. */
export function refuseNewer(file: string, found: number, known: number): void {
  if (found <= known) return;
  throw new StateProblem(
    "newer-version",
    `${file} has version ${found}; this program knows versions up to ${known}. It was left as it is. Install the newer program, or name another state folder.`,
  );
}

/** A copy of a database beside it, checked. */
export function verifiedCopy(database: Database, file: string, version: number): string {
  const copy = freeName(join(dirname(file), `backup-${version}`));
  createPrivateFile(copy);
  database.run("VACUUM INTO ?", copy);
  const opened = openDatabase(copy, "read");
  try {
    const problems = integrityProblems(opened);
    if (problems.length === 0 && versionOf(opened) === version) {
      syncPath(copy);
      return copy;
    }
    throw new StateProblem(
      "damaged-database",
      `The copy ${copy} of ${file} does not verify (${problems.join("; ")}), so nothing was migrated. Check the disk, then start again.`,
    );
  } finally {
    opened.close();
  }
}

/** The problems that SQLite's own check finds in a database; empty if there is none. */
export function integrityProblems(database: Database): readonly string[] {
  return database
    .all("PRAGMA integrity_check")
    .map((row) => text(row, "integrity_check"))
    .filter((line) => line !== "ok");
}

function freeName(stem: string): string {
  let name = `${stem}.db`;
  for (let count = 2; existsSync(name); count += 1) name = `${stem}-${count}.db`;
  return name;
}
