import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isRunning } from "../../machine/is-running.ts";
import { journalFile } from "../../memory/journal/journal.ts";
import { rotatedFiles } from "../../memory/journal/journal-files.ts";
import { emptyHead, readHead } from "../../memory/journal/journal-head.ts";
import { checkJournal } from "../../memory/journal/journal-reading.ts";
import { integrityProblems } from "../../memory/state/migrate.ts";
import { refuseLostDatabase } from "../../memory/state/open-state.ts";
import { checkDatabase } from "../../memory/state/versions.ts";
import { openDatabase } from "../../memory/storage/database.ts";
import { openDiskReserve } from "../../memory/storage/disk-reserve.ts";
import { createPrivateFile } from "../../memory/storage/private-file.ts";
import { BackupProblem } from "./backup-problem.ts";
import { lastFile } from "./pending-restore.ts";
import type { Collected, Source } from "./sources.ts";
import { walkFiles } from "./walk-files.ts";

/** How often a copy is begun again because the journal began a new file meanwhile. */
const mostTries = 5;

const stagingName = "passepartout-backup-partial-";

/**
 * Makes the folder beside a backup that holds copies while it is made, after it removed those of processes
 * that are gone: the disk of the state may be full.
 */
export function makeStagingFolder(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(stagingName) ? Number(name.slice(stagingName.length)) : 0;
    if (pid > 0 && (pid === process.pid || !isRunning(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
  const staging = join(folder, `${stagingName}${process.pid}`);
  mkdirSync(staging, { mode: 0o700 });
  return staging;
}

/**
 * Copies the state as it is at one moment, also while another process writes it: the database by SQLite, the journal up to the last line that this database
 * knows or that was written before. The copies are checked.
 */
export async function collectState(folder: string, staging: string): Promise<Collected> {
  if (!existsSync(join(folder, "state.db"))) {
    refuseLostState(folder);
    return { sources: [], omitted: [{ path: "state", why: `there is none in ${folder}` }] };
  }
  // SQLite reads no database without a small file beside it.
  if (canWrite(folder)) await openDiskReserve(join(folder, "reserve")).makeRoom(roomToRead);
  const journal = await copyConsistently(folder, staging);
  const others = ["prompt-history", "set-aside"].map((name) => join(folder, name)).filter(existsSync);
  const nameOf = (path: string): string => `state/${relative(folder, path)}`;
  const walked = others.map((place) => walkFiles(place));
  return {
    sources: [
      sourceOf("state/state.db", join(staging, "state.db")),
      ...journal,
      ...walked.flatMap(({ files }) => files.map((file) => sourceOf(nameOf(file), file))),
    ],
    omitted: walked.flatMap(({ others: left }) =>
      left.map(({ path, what }) => ({ path: nameOf(path), why: `it is ${what}` })),
    ),
  };
}

/** Throws where a state was kept that is not there now, as where its disk is not mounted. */
function refuseLostState(folder: string): void {
  const isThere = existsSync(folder);
  if (isThere) refuseLostDatabase(folder);
  const isEmpty = isThere && readdirSync(folder).length === 0;
  if (!isEmpty && (isThere || !existsSync(lastFile(folder)))) return;
  throw new BackupProblem(
    `The state folder ${folder} is ${isEmpty ? "empty" : "not there, though one was restored"}. No backup was made. Mount its disk; where no state was ever kept there, remove ${isEmpty ? folder : dirname(lastFile(folder))}.`,
  );
}

/** Bytes that SQLite may need on the disk of a database that it reads. */
const roomToRead = 131_072;

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EROFS") return false;
    throw error;
  }
}

async function copyConsistently(folder: string, staging: string): Promise<readonly Source[]> {
  const file = journalFile(folder);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = rotatedFiles(file);
    // What the journal has now is about turns that the database has when it is copied.
    const written = sizeOf(file);
    const head = copyDatabase(readableDatabase(folder, staging), join(staging, "state.db"));
    copyLines(file, join(staging, "journal.jsonl"), Math.max(written, head.end));
    if (rotatedFiles(file).length !== before.length) continue;
    const sources = [
      ...before.map((path) => sourceOf(`state/${basename(path)}`, path)),
      sourceOf("state/journal.jsonl", join(staging, "journal.jsonl")),
    ];
    await verifyJournal(file, { staging, rotated: before, head });
    return sources;
  }
  throw new BackupProblem("The journal began new files again and again. Nothing was kept; try again later.");
}

/**
 * The database of a state folder; where its disk is read-only, so that nobody changes it and SQLite cannot
 * read it in its place, a copy with its log.
 */
function readableDatabase(folder: string, staging: string): string {
  const file = join(folder, "state.db");
  if (canWrite(folder)) return file;
  const copy = join(staging, "read-only.db");
  for (const end of ["", "-wal"])
    if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`);
  return copy;
}

/** Copies a database, checks the copy, and gives the head of the journal in it. */
function copyDatabase(from: string, to: string) {
  rmSync(to, { force: true });
  createPrivateFile(to);
  const database = openDatabase(from, "read");
  try {
    database.run("VACUUM INTO ?", to);
  } finally {
    database.close();
  }
  const copy = openDatabase(to, "read");
  try {
    checkDatabase(copy, from);
    const problems = integrityProblems(copy);
    if (problems.length > 0)
      throw new BackupProblem(
        `The database ${from} is damaged (${problems[0]}), so no backup was made. passepartout doctor says more.`,
      );
    return readHead(copy) ?? emptyHead;
  } finally {
    copy.close();
  }
}

/** Copies a file up to the end of the last line within so many bytes. */
function copyLines(from: string, to: string, limit: number): void {
  rmSync(to, { force: true });
  createPrivateFile(to);
  if (!existsSync(from)) return;
  copyFileSync(from, to);
  truncateSync(to, endOfLines(to, Math.min(limit, sizeOf(to))));
}

/** Where the last line within the first bytes of a file ends. */
function endOfLines(file: string, limit: number): number {
  const step = 65_536;
  const descriptor = openSync(file, "r");
  try {
    for (let end = limit; end > 0; end -= step) {
      const start = Math.max(0, end - step);
      const block = Buffer.alloc(end - start);
      readSync(descriptor, block, 0, block.length, start);
      const newline = block.lastIndexOf(10);
      if (newline >= 0) return start + newline + 1;
    }
    return 0;
  } finally {
    closeSync(descriptor);
  }
}

async function verifyJournal(
  file: string,
  given: {
    readonly staging: string;
    readonly rotated: readonly string[];
    readonly head: Parameters<typeof checkJournal>[1];
  },
): Promise<void> {
  const { staging, rotated, head } = given;
  const copy = journalFile(staging);
  const links = rotated.map((path) => join(staging, basename(path)));
  for (const [index, path] of rotated.entries()) copyFileSync(path, links[index] ?? "");
  const check = await checkJournal(copy, head);
  for (const link of links) rmSync(link);
  if (check.ok) return;
  throw new BackupProblem(
    `The journal ${file} is damaged (${check.problem.what}), so no backup was made. Repair it first: passepartout journal repair`,
  );
}

function sourceOf(path: string, from: string): Source {
  return { path, from, size: sizeOf(from) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
