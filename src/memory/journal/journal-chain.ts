import type { JournalEntry, JournalRecord } from "../../signal/journal-entry.ts";
import { canonicalJson, isJsonObject, type Json } from "../../signal/json.ts";
import { digestOf, sha256 } from "../storage/digest.ts";

/** The version of the journal's lines that this program writes. */
const journalVersion = 1;

/** The hash before the first entry. */
export const genesisHash = "0".repeat(64);

/** What the chain ties an entry to. */
export type ChainLink = {
  readonly sequence: number;
  readonly at: number;
  readonly gates: string;
  readonly previous: string;
};

/** What one line turned out to be. */
export type LineReading =
  | { readonly ok: true; readonly entry: JournalEntry }
  | { readonly ok: false; readonly newer: boolean; readonly what: string };

/** Makes a record the next entry of the chain, and its line: canonical JSON with the hash over the rest, ended by a newline. `known` remembers the texts of facts, effects and lines of the trace, which an outcome has from its intent. */
export function sealEntry(
  record: JournalRecord,
  link: ChainLink,
  known: WeakMap<object, string> = new WeakMap(),
): { readonly entry: JournalEntry; readonly line: string } {
  const rest = { ...record, ...link, version: journalVersion };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  for (const part of [record.facts, ...record.effects, ...record.trace]) {
    if (part !== null && !known.has(part)) known.set(part, canonicalJson(part));
  }
  const texts = new Map(given.map(([key, value]) => [key, canonicalJson(value, (part) => known.get(part))]));
  const hash = sha256(objectOf(texts));
  return { entry: { ...rest, hash }, line: `${objectOf(texts.set("hash", canonicalJson(hash)))}\n` };
}

/** The canonical JSON of an object whose values are canonical JSON already. */
function objectOf(texts: ReadonlyMap<string, string>): string {
  const keys = [...texts.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${texts.get(key)}`).join(",")}}`;
}

/** Reads a line (without its newline) and checks that it is the very line that was written. */
export function readLine(line: string): LineReading {
  let value: Json;
  try {
    value = parse(line);
  } catch (error) {
    return { ok: false, newer: false, what: `it is not JSON (${String(error)})` };
  }
  if (!isJsonObject(value)) return { ok: false, newer: false, what: "it is not an object" };
  const { hash, ...rest } = value;
  const { version } = value;
  if (typeof version === "number" && version > journalVersion) {
    return {
      ok: false,
      newer: true,
      what: `it has version ${version}; this program knows ${journalVersion}`,
    };
  }
  if (hash !== digestOf(rest) || canonicalJson(value) !== line) {
    return { ok: false, newer: false, what: "it does not have the content of its hash" };
  }
  return { ok: true, entry: entryOf(value) };
}

/** What is wrong with an entry as the one after another, in words; null if nothing is. */
export function chainProblem(
  entry: JournalEntry,
  before: { readonly sequence: number; readonly hash: string },
): string | null {
  if (entry.sequence !== before.sequence + 1) {
    return `it is entry ${entry.sequence} where ${before.sequence + 1} should be`;
  }
  return entry.previous === before.hash ? null : "it does not follow the entry before it";
}

function parse(line: string): Json {
  return JSON.parse(line) as Json;
}

/** What has the hash of its content was written by `seal`, so it has the shape of an entry. */
function entryOf(value: Json): JournalEntry {
  return value as unknown as JournalEntry;
}
