import { createReadStream, existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { chainProblem, readLine } from "./journal-chain.ts";
import { journalDamage } from "./journal-damage.ts";
import { type DamagedLine, rotatedFiles } from "./journal-files.ts";
import type { ByteRange, JournalHead } from "./journal-head.ts";
import { JournalLines } from "./journal-lines.ts";

/** The result of a check of the whole journal. */
export type JournalCheck =
  | {
      readonly ok: true;
      readonly entries: number;
      /** The latest time of an entry, in Unix milliseconds; null where there is none. */
      readonly latest: number | null;
    }
  | { readonly ok: false; readonly entries: number; readonly problem: DamagedLine };

type ChainEnd = { readonly sequence: number; readonly hash: string };

/** Reads all entries from the first. Throws `damaged-journal` at a line that does not verify; a line that a writer has not finished is left out. */
export async function* readJournal(file: string): AsyncGenerator<JournalEntry> {
  let before: ChainEnd | null = null;
  for (const path of [...rotatedFiles(file), file]) {
    const journal = new JournalLines(path);
    let number = 0;
    for await (const { line, start } of lines(path)) {
      number += 1;
      const reading = readLine(line);
      const problem = reading.ok ? chainProblem(reading.packed, before) : reading.what;
      if (!reading.ok || problem !== null) {
        const entry = (before?.sequence ?? 0) + 1;
        throw journalDamage(path, { file: path, line: number, entry, what: problem ?? "" });
      }
      yield journal.unpack(reading.packed, start);
      before = reading.packed;
    }
  }
}

/** Called with the bytes that were checked and those that there are. */
export type CheckProgress = (done: number, all: number) => void;

/** Checks every line, the chain through all lines, and that the head in the database is one of them. */
export async function checkJournal(
  file: string,
  head: JournalHead,
  onProgress?: CheckProgress,
): Promise<JournalCheck> {
  let before: ChainEnd | null = null;
  let met = head.sequence === 0;
  let latest: number | null = null;
  let number = 0;
  let path = file;
  const failed = (what: string, line: number | null = number): JournalCheck => {
    const entries = before?.sequence ?? 0;
    return { ok: false, entries, problem: { file: path, line, entry: entries + 1, what } };
  };
  const paths = [...rotatedFiles(file), file];
  const all = paths.reduce((sum, each) => sum + sizeOf(each), 0);
  let checked = 0;
  for (path of paths) {
    number = 0;
    for await (const { line, start } of lines(path)) {
      number += 1;
      onProgress?.(checked + start, all);
      const reading = readLine(line);
      if (!reading.ok) return failed(reading.what);
      const problem = chainProblem(reading.packed, before);
      if (problem !== null) return failed(problem);
      if (reading.packed.sequence === head.sequence) {
        if (reading.packed.hash !== head.hash) return failed("the database has another entry here");
        met = true;
      }
      before = reading.packed;
      const { at } = reading.packed;
      if (typeof at === "number") latest = Math.max(latest ?? at, at);
    }
    checked += sizeOf(path);
  }
  if (met) return { ok: true, entries: before?.sequence ?? 0, latest };
  return failed(`the journal ends before entry ${head.sequence}, which the database has`, null);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reads the entries of these lines. */
export async function entriesAt(file: string, spans: readonly ByteRange[]): Promise<readonly JournalEntry[]> {
  if (spans.length === 0) return [];
  await using handle = await open(file, "r");
  const journal = new JournalLines(file);
  const entries: JournalEntry[] = [];
  for (const { start, end } of spans) {
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, start);
    const line = bytes.toString("utf8", 0, Math.max(0, bytesRead - 1));
    entries.push(entryOf(journal, file, { line, start }));
  }
  return entries;
}

const step = 65_536;

/** Reads the last entries before a byte of the last file, oldest first, and no more of the files than it needs. */
export async function lastEntries(
  file: string,
  end: number,
  count: number,
): Promise<readonly JournalEntry[]> {
  let last = await lastOfFile(file, end, count);
  for (const path of rotatedFiles(file).toReversed()) {
    if (last.length >= count) break;
    last = [...(await lastOfFile(path, statSync(path).size, count - last.length)), ...last];
  }
  return last;
}

async function lastOfFile(file: string, end: number, count: number): Promise<readonly JournalEntry[]> {
  if (!existsSync(file) || count <= 0 || end === 0) return [];
  await using handle = await open(file, "r");
  let start = end;
  let bytes = Buffer.alloc(0);
  while (start > 0 && newlines(bytes) <= count) {
    const size = Math.min(step, start);
    const block = Buffer.alloc(size);
    await handle.read(block, 0, size, start - size);
    start -= size;
    bytes = Buffer.concat([block, bytes]);
  }
  const journal = new JournalLines(file);
  return linesOf(bytes, start)
    .slice(start === 0 ? 0 : 1)
    .slice(-count)
    .map((line) => entryOf(journal, file, line));
}

/** A line without its newline, with the byte of the file at which it begins. */
type Line = { readonly line: string; readonly start: number };

/** The lines that end within a part of the file. `start` is the place of the part in the file. */
function linesOf(bytes: Buffer, start: number): readonly Line[] {
  const found: Line[] = [];
  for (let at = 0, end = bytes.indexOf(10); end >= 0; at = end + 1, end = bytes.indexOf(10, at)) {
    found.push({ line: bytes.toString("utf8", at, end), start: start + at });
  }
  return found;
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function entryOf(journal: JournalLines, file: string, { line, start }: Line): JournalEntry {
  const reading = readLine(line);
  if (reading.ok) return journal.unpack(reading.packed, start);
  throw journalDamage(file, { place: `the line at byte ${start}`, what: reading.what });
}

/** The lines of the file, without a last line that a writer has not ended yet. */
async function* lines(file: string): AsyncGenerator<Line> {
  if (!existsSync(file)) return;
  let start = 0;
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: step })) {
    const bytes: Buffer = Buffer.concat([rest, Buffer.from(chunk)]);
    yield* linesOf(bytes, start);
    const end = bytes.lastIndexOf(10) + 1;
    start += end;
    rest = bytes.subarray(end);
  }
}
