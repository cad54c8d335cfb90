import { statSync } from "node:fs";
import type { Database } from "../storage/database.ts";
import { integer, text } from "../storage/rows.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { migrate, refuseNewer, versionOf } from "./migrate.ts";
import { migrationSteps } from "./migration-steps.ts";
import { applicationId, databaseVersion, ledgerIndexes, pageBytes, schema } from "./schema.ts";

/** A database of up to so many bytes is checked at each opening; a larger one only if it was not closed properly. */
const smallDatabase = 16_777_216;

/** Pages after which the write-ahead log is written back (4 MB). It is seldom, since the commit that does it takes longer than the others. */
const checkpointPages = 4096;

/** Makes a new database, or checks an existing one and migrates it to this program's version; describes what was done. */
export function prepareDatabase(database: Database, file: string): readonly string[] {
  database.script(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  if (isEmpty(database)) {
    database.script(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL`);
    database.transaction("forced", () => {
      database.script(schema);
      database.script(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${databaseVersion}`);
    });
    return [];
  }
  checkDatabase(database, file);
  const reports = migrate(database, file, databaseVersion, migrationSteps);
  if (reports.length > 0) shrinkPages(database);
  database.transaction("unforced", () => database.script(ledgerIndexes));
  return reports;
}

/** Gives a migrated database the page size of a new one. If this is interrupted, the database keeps its larger pages. */
function shrinkPages(database: Database): void {
  database.script(
    `PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE; PRAGMA page_size = ${pageBytes}; VACUUM; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`,
  );
}

/** Throws if a database is not ours, newer than this program, or damaged. Changes nothing. */
export function checkDatabase(database: Database, file: string): void {
  const row = database.get("PRAGMA application_id");
  if (row === undefined || integer(row, "application_id") !== applicationId) {
    throw damagedDatabase(file, "it is not a database of this program");
  }
  refuseNewer(file, versionOf(database), databaseVersion);
  const closed = database.get("SELECT value FROM meta WHERE key = 'closed'");
  if (closed === undefined) throw damagedDatabase(file, "its first table is not whole");
  if (text(closed, "value") === "1" && statSync(file).size > smallDatabase) return;
  const problems = database.all("PRAGMA quick_check(3)").map((line) => text(line, "quick_check"));
  if (problems.length !== 1 || problems[0] !== "ok") throw damagedDatabase(file, problems.join("; "));
}

/** Throws if a database is of an older version, which a reader cannot migrate. */
export function refuseOlder(database: Database, file: string): void {
  const found = versionOf(database);
  if (found === databaseVersion) return;
  throw new StateProblem(
    "older-version",
    `${file} has version ${found}, and this program reads version ${databaseVersion}. It was left as it is. Start a conversation or the daemon once: that migrates it, after it made a copy.`,
  );
}

function damagedDatabase(file: string, what: string): StateProblem {
  return new StateProblem(
    "damaged-database",
    `The database ${file} is damaged: ${what}. It was left as it is. Restore it and journal.jsonl from the same backup, or move its folder aside to start with an empty state.`,
  );
}

function isEmpty(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined && versionOf(database) === 0;
}
