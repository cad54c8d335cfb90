import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import type { Database } from "../storage/database.ts";
import { createPrivateFile } from "../storage/private-file.ts";
import { explainFault, StateProblem } from "../storage/state-problem.ts";
import { chainProblem, readLine } from "./journal-chain.ts";
import { journalDamage } from "./journal-damage.ts";
import { advanceHead, emptyHead, type JournalHead, type LocatedEntry, readHead } from "./journal-head.ts";
import { JournalLines } from "./journal-lines.ts";

/** The real end of the journal, with sentences on what was repaired. */
export type JournalRecovery = { readonly end: JournalHead; readonly reports: readonly string[] };

/** Books the calls of entries that the database does not know, as a part of the caller's transaction. */
export type BookLostCalls = (database: Database, entries: readonly JournalEntry[]) => void;

/**
 * Compares the file with the head in the database. The head names forced entries only. A file that continues after it, by a chain that verifies, is the
 * trace of a crash. A file that ends before the head, or has another entry there, is damaged and left as it is.
 * A writer moves a last line without its end to `journal.torn-<n>`.
 */
export function recoverJournal(
  file: string,
  database: Database,
  access: "write" | "read",
  bookLost: BookLostCalls,
): JournalRecovery {
  const head = readHead(database);
  if (head === null) throw journalDamage(file, 0, "the database does not know where it ends");
  if (!existsSync(file)) {
    if (head.sequence > 0) throw journalDamage(file, head.sequence, "the file is missing");
    if (access === "write") createPrivateFile(file);
    return { end: emptyHead, reports: [] };
  }
  const descriptor = open(file, access);
  try {
    checkHead(file, descriptor, head);
    const { placed, torn } = readAhead(file, descriptor, head);
    const last = placed.at(-1);
    const end = last === undefined ? head : { ...last.span, ...pick(last) };
    if (access === "read") return { end, reports: [] };
    const reports = torn.byteLength === 0 ? [] : [cutOff(file, descriptor, end.end, torn)];
    fsyncSync(descriptor);
    if (placed.length > 0) takeUp(database, placed, bookLost);
    return { end, reports };
  } catch (error) {
    throw explainFault(error, file);
  } finally {
    closeSync(descriptor);
  }
}

/** Adds the entries after the head to the database. */
function takeUp(database: Database, placed: readonly LocatedEntry[], bookLost: BookLostCalls): void {
  database.transaction("forced", () => {
    advanceHead(database, placed);
    const entries = placed.map(({ entry }) => entry);
    bookLost(database, entries);
  });
}

function open(file: string, access: "write" | "read"): number {
  try {
    return openSync(file, access === "write" ? "r+" : "r");
  } catch (error) {
    throw explainFault(error, file);
  }
}

function checkHead(file: string, descriptor: number, head: JournalHead): void {
  const { size } = fstatSync(descriptor);
  if (size < head.end)
    throw journalDamage(file, head.sequence, `the file ends at byte ${size}, before the entry's end`);
  if (head.sequence === 0) return;
  const line = readBytes(descriptor, head.start, head.end).toString("utf8");
  const reading = readLine(line.slice(0, -1));
  if (!line.endsWith("\n") || !reading.ok) {
    throw journalDamage(file, head.sequence, reading.ok ? "its line does not end" : reading.what);
  }
  if (reading.packed.sequence !== head.sequence || reading.packed.hash !== head.hash) {
    throw journalDamage(file, head.sequence, "another entry stands where the database has this one");
  }
}

function readAhead(
  file: string,
  descriptor: number,
  head: JournalHead,
): { readonly placed: readonly LocatedEntry[]; readonly torn: Buffer } {
  const bytes = readBytes(descriptor, head.end, fstatSync(descriptor).size);
  const placed: LocatedEntry[] = [];
  const journal = new JournalLines(file);
  let before: { readonly sequence: number; readonly hash: string } = head;
  let at = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
    const reading = readLine(bytes.toString("utf8", at, end));
    const number = before.sequence + 1;
    if (!reading.ok)
      throw reading.newer ? newer(file, reading.what) : journalDamage(file, number, reading.what);
    const problem = chainProblem(reading.packed, before);
    if (problem !== null) throw journalDamage(file, number, problem);
    const entry = journal.unpack(reading.packed, head.end + at);
    placed.push({ entry, span: { start: head.end + at, end: head.end + end + 1 } });
    before = reading.packed;
    at = end + 1;
  }
  return { placed, torn: bytes.subarray(at) };
}

/** The problem of a journal that a newer program wrote. */
function newer(file: string, what: string): StateProblem {
  return new StateProblem(
    "newer-version",
    `The journal ${file} was written by a newer program: ${what}. It was left as it is. Install the newer program, or name another state folder.`,
  );
}

function cutOff(file: string, descriptor: number, end: number, torn: Buffer): string {
  let count = 1;
  while (!createPrivateFile(join(dirname(file), `journal.torn-${count}`))) count += 1;
  const aside = join(dirname(file), `journal.torn-${count}`);
  const copy = openSync(aside, "r+");
  try {
    writeSync(copy, torn);
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
  ftruncateSync(descriptor, end);
  return `The journal's last line was not whole after a crash (${torn.byteLength} bytes). It was moved to ${aside}.`;
}

function readBytes(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.byteLength) {
    const count = readSync(descriptor, bytes, filled, bytes.byteLength - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function pick({ entry }: LocatedEntry): { readonly sequence: number; readonly hash: string } {
  return { sequence: entry.sequence, hash: entry.hash };
}
