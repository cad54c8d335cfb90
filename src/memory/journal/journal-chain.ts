import { digestOf, sha256 } from "../../machine/digest.ts";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

/** The version of the journal's lines that this program writes. */
export const journalVersion = 2;

/** The hash before the first entry. */
export const genesisHash = "0".repeat(64);

/** The members that tie an entry to the chain. */
export type ChainLink = {
  readonly sequence: number;
  readonly at: number;
  readonly gates: string;
  readonly previous: string;
};

/** An entry as its line holds it, without the members that it shares with earlier lines. */
export type PackedEntry = JsonObject & Pick<JournalEntry, "version" | "sequence" | "previous" | "hash">;

/** The result of reading a line. */
export type LineReading =
  | { readonly ok: true; readonly packed: PackedEntry }
  | { readonly ok: false; readonly newer: boolean; readonly what: string };

/** Makes the line of an entry from members that are canonical JSON already: canonical JSON with the hash over the members, and a newline. */
export function sealLine(members: ReadonlyMap<string, string>): {
  readonly hash: string;
  readonly line: string;
} {
  const hash = sha256(objectOf(members));
  return { hash, line: `${objectOf(new Map([...members, ["hash", canonicalJson(hash)]]))}\n` };
}

/** The canonical JSON of an object whose values are canonical JSON already. */
export function objectOf(texts: ReadonlyMap<string, string>): string {
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
  return { ok: true, packed: packedOf(value) };
}

/** The event of the note with which a journal begins again after a repair. */
export const repairEvent = "journal-repaired";

/**
 * Why an entry cannot follow another in the chain, or begin it for null; null if it can. A chain begins with entry 1, or where a repair set the entries
 * before aside, with the note of that.
 */
export function chainProblem(
  entry: PackedEntry,
  before: { readonly sequence: number; readonly hash: string } | null,
): string | null {
  const { detail } = entry;
  if (before === null && isJsonObject(detail) && detail["event"] === repairEvent) {
    return entry.previous === genesisHash ? null : "it begins a chain but names an entry before it";
  }
  const { sequence, hash } = before ?? { sequence: 0, hash: genesisHash };
  if (entry.sequence !== sequence + 1) return `it is entry ${entry.sequence} where ${sequence + 1} should be`;
  return entry.previous === hash ? null : "it does not follow the entry before it";
}

function parse(line: string): Json {
  return JSON.parse(line) as Json;
}

/** A value with the hash of its content was written by `sealLine`, so it has the shape of an entry. */
function packedOf(value: JsonObject): PackedEntry {
  return value as PackedEntry;
}
