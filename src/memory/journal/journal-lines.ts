import { closeSync, openSync, readSync } from "node:fs";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { type SourceDelta, unpackSources } from "../storage/source-deltas.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { type PackedEntry, readLine } from "./journal-chain.ts";
import { journalDamage } from "./journal-damage.ts";
import { defaultMembers } from "./pack-entry.ts";

/** The number of entries that stay in memory, since later lines name them. */
const mostKnown = 500;
const blockBytes = 16_384;

/** Reads whole entries from the lines of a journal: it adds the members that a line shares with earlier lines. */
export class JournalLines {
  readonly #file: string;
  readonly #known = new Map<number, JournalEntry>();

  constructor(file: string) {
    this.#file = file;
  }

  /** The whole entry of a line that begins at byte `start`. Throws `damaged-journal` if the line names a line or a member that does not exist. */
  unpack(packed: PackedEntry, start: number): JournalEntry {
    try {
      return this.#unpack(packed, start);
    } catch (error) {
      if (error instanceof StateProblem) throw error;
      const what = error instanceof Error ? error.message : String(error);
      throw journalDamage(this.#file, { place: `entry ${packed.sequence}`, what }, { cause: error });
    }
  }

  #unpack(packed: PackedEntry, start: number): JournalEntry {
    const entry = packed.version === 1 ? packed : this.#unpackShared(packed, start);
    const whole = entryOf(entry);
    this.#known.delete(start);
    this.#known.set(start, whole);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return whole;
  }

  #unpackShared({ same = {}, ...own }: PackedEntry, start: number): JsonObject {
    const members: Record<string, Json> = {};
    for (const [name, text] of defaultMembers) members[name] = jsonFrom(text);
    Object.assign(members, own);
    const facts: Record<string, Json> = isJsonObject(own["facts"]) ? { ...own["facts"] } : {};
    for (const [line, names] of Object.entries(isJsonObject(same) ? same : {})) {
      const named = jsonOf(this.#entryAt(Number(line), start));
      for (const name of isJsonArray(names) ? names.map(String) : []) {
        if (!name.startsWith("facts.")) members[name] = memberOf(named, name);
        else facts[name.slice("facts.".length)] = memberOf(named["facts"], name.slice("facts.".length));
      }
    }
    if (own["facts"] !== undefined) members["facts"] = facts;
    if (isJsonArray(own["effects"])) {
      members["effects"] = own["effects"].map((effect: Json) => this.#unpackEffect(effect, start));
    }
    return members;
  }

  #unpackEffect(effect: Json, start: number): Json {
    const label = memberOf(effect, "label");
    const sources = memberOf(label, "sources");
    if (!isJsonObject(effect) || !isJsonObject(label) || !isJsonObject(sources)) return effect;
    const { line, effect: index } = sources;
    const named = this.#entryAt(Number(line), start).effects[Number(index)];
    if (named === undefined) throw lost(Number(line));
    const whole = unpackSources(named.label.sources, deltaOf(sources));
    return { ...effect, label: { ...label, sources: whole } };
  }

  /** The whole entry of an earlier line. */
  #entryAt(start: number, before: number): JournalEntry {
    if (!(start >= 0 && start < before)) throw lost(start);
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const reading = readLine(this.#readLineAt(start));
    if (!reading.ok) throw lost(start);
    return this.#unpack(reading.packed, start);
  }

  #readLineAt(start: number): string {
    const descriptor = openSync(this.#file, "r");
    try {
      const blocks: Buffer[] = [];
      for (let at = start; ; ) {
        const block = Buffer.alloc(blockBytes);
        const count = readSync(descriptor, block, 0, blockBytes, at);
        const end = block.subarray(0, count).indexOf(10);
        blocks.push(block.subarray(0, end < 0 ? count : end));
        if (end >= 0) return Buffer.concat(blocks).toString("utf8");
        if (count === 0) throw lost(start);
        at += count;
      }
    } finally {
      closeSync(descriptor);
    }
  }
}

function memberOf(value: Json | undefined, name: string): Json {
  const found = isJsonObject(value) ? value[name] : undefined;
  if (found === undefined) throw new Error(`an earlier line of the journal has no ${name}`);
  return found;
}

function lost(start: number): Error {
  return new Error(`no line of the journal begins at byte ${start}`);
}

/** A line with the hash of its content was written by an `EntryPacker`, so it has the shape of an entry. */
function entryOf(value: JsonObject): JournalEntry {
  return value as unknown as JournalEntry;
}

function jsonFrom(text: string): Json {
  return JSON.parse(text) as Json;
}

function deltaOf(value: JsonObject): SourceDelta {
  return value as SourceDelta;
}

function jsonOf(entry: JournalEntry): JsonObject {
  return entry as unknown as JsonObject;
}
