import { rmSync, type Stats } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { type Database, openDatabase } from "../../storage/database.ts";
import { databaseFiles } from "../../storage/misplaced-file.ts";
import { isCode } from "../../storage/private-file.ts";
import { integer, type Row, text } from "../../storage/rows.ts";
import { explainFault, StateProblem } from "../../storage/state-problem.ts";
import { indexApplicationId, indexVersion, makeSchema, shrinkEmptied } from "./index-schema.ts";

/** An opened database. `report` says why an existing index is rebuilt; null otherwise. */
export type OpenedIndex = { readonly database: Database; readonly report: string | null };

/** Pages of 4 KB in the cache of a connection, and pages in its log before a checkpoint: 4 MB, and 16 MB for bulk indexing. */
const cachePages = 1024;
export const bulkCachePages = 4096;

/** Opens the file of the index. A damaged file is deleted and one of another version emptied; both are rebuilt from the notes, so nothing is lost. */
export async function openIndexFile(file: string, pages: number = cachePages): Promise<OpenedIndex> {
  try {
    const isNew = await isEmpty(file);
    if (isNew) await makeEmpty(file);
    return openOnce(file, isNew, pages);
  } catch (error) {
    const fault = explainFault(error, file);
    if (!isDamage(fault)) throw fault;
    await removeIndexFile(file);
    await makeEmpty(file);
    const { database } = openOnce(file, true, pages);
    return { database, report: `The index ${file} was damaged. It is being rebuilt from the notes.` };
  }
}

async function isEmpty(file: string): Promise<boolean> {
  return ((await statusOf(file))?.size ?? 0) === 0;
}

/**
 * Not where it is there: closing it would drop this process's SQLite locks on it (POSIX locks belong to the
 * process).
 */
async function makeEmpty(file: string): Promise<void> {
  await writeFile(file, "", { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (!isCode(error, "EEXIST")) throw error;
  });
}

function openOnce(file: string, isNew: boolean, pages: number): OpenedIndex {
  const database = openDatabase(file, "write");
  try {
    // It writes, which a full disk does not allow: an index that is there has it, or gets it below.
    if (isNew) database.script("PRAGMA auto_vacuum = INCREMENTAL");
    database.script(
      `PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA cache_size = ${pages}; PRAGMA wal_autocheckpoint = ${pages}; PRAGMA temp_store = MEMORY`,
    );
    if (isCurrent(database)) return { database, report: null };
    const wasEmpty = database.transaction("unforced", () => {
      if (isCurrent(database)) return true;
      const empty = database.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;
      makeSchema(database);
      return empty;
    });
    if (isNew || wasEmpty) return { database, report: null };
    shrinkEmptied(database);
    const report = `The index ${file} has another version. It is being rebuilt from the notes.`;
    return { database, report };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Deletes the file of an index, with the files that SQLite keeps beside it. */
export async function removeIndexFile(file: string): Promise<void> {
  try {
    await Promise.all(databaseFiles(file).map((path) => rm(path, { force: true })));
  } catch (error) {
    throw explainFault(error, file);
  }
}

/** The same for a damaged file, which is rare, where nothing waits. */
export function removeIndexFileSync(file: string): void {
  try {
    for (const path of databaseFiles(file)) rmSync(path, { force: true });
  } catch (error) {
    throw explainFault(error, file);
  }
}

/** Identifies the file at a path, since another process may have replaced it; empty where there is none. */
export async function identityOfFile(file: string): Promise<string> {
  const status = await statusOf(file);
  return status === null ? "" : `${status.dev} ${status.ino}`;
}

async function statusOf(file: string): Promise<Stats | null> {
  return stat(file).catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  });
}

/** True for a fault that a rebuild of the index repairs. */
export function isDamage(error: unknown): boolean {
  return error instanceof StateProblem && error.code === "damaged-database";
}

/** Reads the version and the table names, so that a file of another program is recognised. */
function isCurrent(database: Database): boolean {
  const read = (name: string): Row => database.get(`PRAGMA ${name}`) ?? {};
  if (integer(read("application_id"), "application_id") !== indexApplicationId) return false;
  if (integer(read("user_version"), "user_version") !== indexVersion) return false;
  const tables = database
    .all("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .map((row) => text(row, "name"));
  return ["meta", "files", "nodes", "stamps", "links", "note_words"].every((name) => tables.includes(name));
}
