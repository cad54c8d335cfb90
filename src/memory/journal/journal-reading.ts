import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { chainProblem, genesisHash, readLine } from "./journal-chain.ts";
import { journalDamage } from "./journal-damage.ts";
import type { ByteRange, JournalHead } from "./journal-head.ts";
import { JournalLines } from "./journal-lines.ts";

/** The result of a check of the whole journal. */
export type JournalCheck =
  | { readonly ok: true; readonly entries: number }
  | {
      readonly ok: false;
      readonly entries: number;
      readonly problem: { readonly line: number; readonly what: string };
    };

/** Reads all entries from the first. Throws `damaged-journal` at a line that does not verify; a line that a writer has not finished is left out. */
export async function* readJournal(file: string): AsyncGenerator<JournalEntry> {
  let before = { sequence: 0, hash: genesisHash };
  const journal = new JournalLines(file);
  for await (const { line, start } of lines(file)) {
    const reading = readLine(line);
    const problem = reading.ok ? chainProblem(reading.packed, before) : reading.what;
    if (!reading.ok || problem !== null) throw journalDamage(file, before.sequence + 1, problem ?? "");
    yield journal.unpack(reading.packed, start);
    before = reading.packed;
  }
}

/** Checks every line, the chain through all lines, and that the head in the database is one of them. */
export async function checkJournal(file: string, head: JournalHead): Promise<JournalCheck> {
  let before = { sequence: 0, hash: genesisHash };
  let met = head.sequence === 0;
  const failed = (line: number, what: string): JournalCheck => ({
    ok: false,
    entries: before.sequence,
    problem: { line, what },
  });
  for await (const { line } of lines(file)) {
    const reading = readLine(line);
    const number = before.sequence + 1;
    if (!reading.ok) return failed(number, reading.what);
    const problem = chainProblem(reading.packed, before);
    if (problem !== null) return failed(number, problem);
    if (reading.packed.sequence === head.sequence) {
      if (reading.packed.hash !== head.hash) return failed(number, "the database has another entry here");
      met = true;
    }
    before = reading.packed;
  }
  if (met) return { ok: true, entries: before.sequence };
  return failed(
    before.sequence + 1,
    `the journal ends before entry ${head.sequence}, which the database has`,
  );
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

/** Reads the last entries before a byte of the file, oldest first, and no more of the file than it needs. */
export async function lastEntries(
  file: string,
  end: number,
  count: number,
): Promise<readonly JournalEntry[]> {
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
  const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  throw journalDamage(file, 0, `the line "${shown}" does not verify: ${reading.what}`);
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
