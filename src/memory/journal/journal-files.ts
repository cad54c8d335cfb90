import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The name of a file that was rotated away: the number of its last entry, so that names sort as the entries do. */
export function rotatedFile(file: string, lastEntry: number): string {
  return join(dirname(file), `journal-${String(lastEntry).padStart(10, "0")}.jsonl`);
}

/** The files that were rotated away, oldest first. */
export function rotatedFiles(file: string): readonly string[] {
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => /^journal-\d{10}\.jsonl$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** A place in the journal where a check found damage. */
export type DamagedLine = {
  readonly file: string;
  /** From 1, in its file; null for the end of the file. */
  readonly line: number | null;
  /** The number of the entry that should stand there. */
  readonly entry: number;
  readonly what: string;
};

/** Damage in words. */
export function describeDamage({ file, line, entry, what }: DamagedLine): string {
  return `${line === null ? "the end" : `line ${line}`} of ${basename(file)}, entry ${entry}: ${what}`;
}
