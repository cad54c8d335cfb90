import { accessSync, closeSync, constants, existsSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../memory/storage/database.ts";
import { describeForeignOwner } from "../memory/storage/foreign-owner.ts";
import { databaseFiles, findMisplaced } from "../memory/storage/misplaced-file.ts";
import { text as textIn } from "../memory/storage/rows.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { readSecret } from "../wire/codec/proof-secret.ts";
import type { HealthCheck } from "./health-check.ts";

/** The databases of a state folder that are made again from the notes. */
const derived = ["index.db", "vectors.db"];
/** The files of a state folder; SQLite adds some to each database. */
const files = ["state.db", ...derived, "lock"]
  .flatMap(databaseFiles)
  .concat("journal.jsonl", "lock.pid", "lock.socket", "reserve", "sealing-key", "wire-secret");

/** Checks each file of a state folder that is there: that it is a file that can be read and written, and what those hold that no other check reads. */
export function checkStateFiles(folder: string): readonly HealthCheck[] {
  const problems = files.map((name) => findFileProblem(join(folder, name))).filter((text) => text !== null);
  if (problems.length > 0) return problems.map((text) => ({ name: "files", result: "bad", text }));
  return [...checkSecret(folder), ...derived.flatMap((name) => checkDerived(join(folder, name)))];
}

function findFileProblem(path: string): string | null {
  const misplaced = findMisplaced(path);
  if (misplaced !== null) return `${misplaced}.`;
  if (!existsSync(path)) return null;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const whose = describeForeignOwner(path);
    return whose === null
      ? `${path} cannot be read and written by your user. Correct its owner, and run: chmod 600 ${path}`
      : `${whose}.`;
  }
}

/** The secret by which daemon and commands know each other. Where there is none, the next start makes it. */
function checkSecret(folder: string): readonly HealthCheck[] {
  if (lstatSync(join(folder, "wire-secret"), { throwIfNoEntry: false }) === undefined) return [];
  try {
    readSecret(folder);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [{ name: "files", result: "bad", text: error.message }];
  }
}

/** A damaged database of this kind stops nothing for long: the next command that needs it makes it again. */
function checkDerived(path: string): readonly HealthCheck[] {
  if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0 || isIntact(path)) return [];
  const text = `${path} is damaged. Nothing is lost: it is made again from the notes when it is used next, or now by: passepartout memory rebuild`;
  return [{ name: "files", result: "finding", text, fix: { kind: "set-aside", path } }];
}

function isIntact(path: string): boolean {
  // Beside a log SQLite looks at no page that the log replaces.
  if (!beginsAsDatabase(path)) return false;
  try {
    const database = openDatabase(path, "read");
    try {
      const [first] = database.all("PRAGMA quick_check(1)").map((row) => textIn(row, "quick_check"));
      return first === "ok";
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof StateProblem) return error.code === "locked";
    throw error;
  }
}

const beginning = "SQLite format 3\0";

function beginsAsDatabase(path: string): boolean {
  const bytes = Buffer.alloc(beginning.length);
  const descriptor = openSync(path, "r");
  try {
    readSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString("latin1") === beginning;
}
