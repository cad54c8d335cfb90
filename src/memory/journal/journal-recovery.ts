import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import type { Database } from "../storage/database.ts";
import { findMisplaced } from "../storage/misplaced-file.ts";
import { createPrivateFile } from "../storage/private-file.ts";
import { explainFault, StateProblem } from "../storage/state-problem.ts";
import { chainProblem, genesisHash, readLine } from "./journal-chain.ts";
import { journalDamage } from "./journal-damage.ts";
import { rotatedFiles } from "./journal-files.ts";
import {
  advanceHead,
  emptyHead,
  type JournalHead,
  type LocatedEntry,
  moveHead,
  readHead,
} from "./journal-head.ts";
import { JournalLines } from "./journal-lines.ts";

/** The real end of the journal, with sentences on what was repaired. */
export type JournalRecovery = {
  readonly end: JournalHead;
  /** The entries that the database did not know. */
  readonly caughtUp: readonly JournalEntry[];
  readonly reports: readonly string[];
};

/** Books the calls of entries that the database does not know, as a part of the caller's transaction. */
export type BookLostCalls = (database: Database, entries: readonly JournalEntry[]) => void;

/**
 * Compares the file with the head in the database. The head names forced entries only. A file that continues after it, by a chain that verifies, is the
 * trace of a crash. A file that ends before the head, or has another entry there, is damaged and left as it is; but where a rotation was cut off, the head
 * stands in the newest rotated file. A writer moves a last line without its end to `journal.torn-<n>`.
 */
export function recoverJournal(
  file: string,
  database: Database,
  access: "write" | "read",
  bookLost: BookLostCalls,
): JournalRecovery {
  // A folder has a size too, which can be less than the journal had: it is no damaged journal.
  const misplaced = findMisplaced(file);
  if (misplaced !== null) throw new StateProblem("unwritable", `${misplaced}, then try again.`);
  const head = readHead(database);
  if (head === null) throw damage(file, "the database does not know where it ends");
  const { begin, rotated } = findBegin(file, head);
  if (!existsSync(file)) {
    if (access === "write") createPrivateFile(file);
    return { end: begin, caughtUp: [], reports: [] };
  }
  const descriptor = open(file, access);
  try {
    const { placed, torn } = readAhead(file, descriptor, begin);
    const last = placed.at(-1);
    const end = last === undefined ? begin : { ...last.span, ...pick(last) };
    const caughtUp = [...rotated, ...placed].map(({ entry }) => entry);
    if (access === "read") return { end, caughtUp, reports: [] };
    const reports = torn.byteLength === 0 ? [] : [cutOff(file, descriptor, end.end, torn)];
    fsyncSync(descriptor);
    if (end !== head) takeUp(database, { placed: [...rotated, ...placed], end }, bookLost);
    return { end, caughtUp, reports };
  } catch (error) {
    throw explainFault(error, file);
  } finally {
    closeSync(descriptor);
  }
}

function damage(file: string, what: string): StateProblem {
  return journalDamage(file, { place: "its end", what });
}

/** The last entry that is known to be in its place, before the entries that a crash may have left; and the entries of a rotated file that the head does not cover. */
function findBegin(
  file: string,
  head: JournalHead,
): { readonly begin: JournalHead; readonly rotated: readonly LocatedEntry[] } {
  const newest = rotatedFiles(file).at(-1) ?? null;
  if (head.end === 0) {
    // The database knows of a rotation or a repair: the file begins after the head.
    const isBegun = head.hash === genesisHash || (newest !== null && endOf(newest).hash === head.hash);
    if (!isBegun) throw damage(file, `the rotated file that ends with entry ${head.sequence} is missing`);
    return { begin: head, rotated: [] };
  }
  const problem = headProblem(file, head);
  if (problem === null) return { begin: head, rotated: [] };
  if (newest === null || headProblem(newest, head) !== null) throw damage(file, problem);
  const descriptor = open(newest, "read");
  try {
    const { placed } = readAhead(newest, descriptor, head);
    const last = placed.at(-1);
    const { sequence, hash } = last === undefined ? head : last.entry;
    return { begin: { sequence, hash, start: 0, end: 0 }, rotated: placed };
  } finally {
    closeSync(descriptor);
  }
}

/** The last entry of a file; that of an empty journal where its last line does not verify. */
function endOf(file: string): Pick<JournalHead, "sequence" | "hash"> {
  const bytes = readFileSync(file);
  const line = bytes.toString("utf8", bytes.lastIndexOf(10, -2) + 1, bytes.length - 1);
  const reading = readLine(line);
  return reading.ok ? reading.packed : emptyHead;
}

/** Adds the entries after the head to the database. */
function takeUp(
  database: Database,
  { placed, end }: { readonly placed: readonly LocatedEntry[]; readonly end: JournalHead },
  bookLost: BookLostCalls,
): void {
  database.transaction("forced", () => {
    advanceHead(database, placed);
    moveHead(database, end);
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

/** Why the head does not stand in its place in a file; null if it does. */
function headProblem(file: string, head: JournalHead): string | null {
  if (!existsSync(file)) return "the file is missing";
  const descriptor = open(file, "read");
  try {
    const { size } = fstatSync(descriptor);
    if (size < head.end) return `the file ends at byte ${size}, before the end of entry ${head.sequence}`;
    const line = readBytes(descriptor, head.start, head.end).toString("utf8");
    const reading = readLine(line.slice(0, -1));
    if (!line.endsWith("\n")) return `the line of entry ${head.sequence} does not end`;
    if (!reading.ok) return reading.what;
    const isSame = reading.packed.sequence === head.sequence && reading.packed.hash === head.hash;
    return isSame ? null : `another entry stands where the database has entry ${head.sequence}`;
  } catch (error) {
    throw explainFault(error, file);
  } finally {
    closeSync(descriptor);
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
  let before: { readonly sequence: number; readonly hash: string } | null = head.sequence === 0 ? null : head;
  let at = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
    const reading = readLine(bytes.toString("utf8", at, end));
    if (!reading.ok) throw reading.newer ? newer(file, reading.what) : damage(file, reading.what);
    const problem = chainProblem(reading.packed, before);
    if (problem !== null) throw damage(file, problem);
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
