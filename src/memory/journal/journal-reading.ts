import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { chainProblem, genesisHash, readLine } from "./journal-chain.ts";
import type { ByteRange, JournalHead } from "./journal-head.ts";
import { journalDamage } from "./journal-recovery.ts";

/** What a check of the whole journal found. */
export type JournalCheck =
  | { readonly ok: true; readonly entries: number }
  | {
      readonly ok: false;
      readonly entries: number;
      readonly problem: { readonly line: number; readonly what: string };
    };

/** All entries from the first. A line that does not verify throws `damaged-journal`; what a writer has not finished yet is left out. */
export async function* readJournal(file: string): AsyncGenerator<JournalEntry> {
  let before = { sequence: 0, hash: genesisHash };
  for await (const line of lines(file)) {
    const reading = readLine(line);
    const problem = reading.ok ? chainProblem(reading.entry, before) : reading.what;
    if (!reading.ok || problem !== null) throw journalDamage(file, before.sequence + 1, problem ?? "");
    yield reading.entry;
    before = reading.entry;
  }
}

/** Checks every line, the chain through all of them, and that it leads over the head that the database has. */
export async function checkJournal(file: string, head: JournalHead): Promise<JournalCheck> {
  let before = { sequence: 0, hash: genesisHash };
  let met = head.sequence === 0;
  const failed = (line: number, what: string): JournalCheck => ({
    ok: false,
    entries: before.sequence,
    problem: { line, what },
  });
  for await (const line of lines(file)) {
    const reading = readLine(line);
    const number = before.sequence + 1;
    if (!reading.ok) return failed(number, reading.what);
    const problem = chainProblem(reading.entry, before);
    if (problem !== null) return failed(number, problem);
    if (reading.entry.sequence === head.sequence) {
      if (reading.entry.hash !== head.hash) return failed(number, "the database has another entry here");
      met = true;
    }
    before = reading.entry;
  }
  if (met) return { ok: true, entries: before.sequence };
  return failed(
    before.sequence + 1,
    `the journal ends before entry ${head.sequence}, which the database has`,
  );
}

/** The entries whose lines stand at the places named. */
export async function entriesAt(file: string, spans: readonly ByteRange[]): Promise<readonly JournalEntry[]> {
  if (spans.length === 0) return [];
  await using handle = await open(file, "r");
  const entries: JournalEntry[] = [];
  for (const { start, end } of spans) {
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, start);
    entries.push(entryOf(file, bytes.toString("utf8", 0, Math.max(0, bytesRead - 1))));
  }
  return entries;
}

const step = 65_536;

/** The last entries before a byte of the file, oldest first. Reads no more of the file than it needs. */
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
  const whole = bytes.toString("utf8").split("\n").slice(0, -1);
  return whole.slice(Math.max(0, whole.length - count)).map((line) => entryOf(file, line));
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function entryOf(file: string, line: string): JournalEntry {
  const reading = readLine(line);
  if (reading.ok) return reading.entry;
  const start = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  throw journalDamage(file, 0, `the line "${start}" does not verify: ${reading.what}`);
}

/** The lines that end; a line that a writer has not ended yet is left out. */
async function* lines(file: string): AsyncGenerator<string> {
  if (!existsSync(file)) return;
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: step })) {
    const bytes: Buffer = Buffer.concat([rest, Buffer.from(chunk)]);
    let at = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
      yield bytes.toString("utf8", at, end);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
}
