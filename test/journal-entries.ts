import { existsSync, readFileSync } from "node:fs";
import { readLine } from "../src/memory/journal/journal-chain.ts";
import { JournalLines } from "../src/memory/journal/journal-lines.ts";
import type { JournalEntry } from "../src/signal/journal-entry.ts";

/** The entries of all whole lines of a journal's file; none where there is no file. */
export function readJournalFile(file: string): readonly JournalEntry[] {
  if (!existsSync(file)) return [];
  const journal = new JournalLines(file);
  let start = 0;
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const reading = readLine(line);
      if (!reading.ok) throw new Error(`a line of ${file} does not verify: ${reading.what}`);
      const entry = journal.unpack(reading.packed, start);
      start += Buffer.byteLength(line) + 1;
      return entry;
    });
}
