import { sha256 } from "../../machine/digest.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts } from "../../signal/facts.ts";
import type { JournalEntry, JournalRecord } from "../../signal/journal-entry.ts";
import type { Label } from "../../signal/label.ts";
import { canonicalJson, type Json } from "../../text/json.ts";
import { packSources, type SourceDelta } from "../storage/source-deltas.ts";
import { type ChainLink, journalVersion, objectOf, sealLine } from "./journal-chain.ts";

/** A list of sources by what it has in common with the sources of an effect of an earlier line. `line` is the byte at which that line begins. */
export type SharedSources = SourceDelta & { readonly line: number; readonly effect: number };

/** The values of members that a line leaves out, as canonical JSON. */
export const defaultMembers: ReadonlyMap<string, string> = new Map([
  ["changes", "[]"],
  ["detail", "{}"],
  ["digest", "null"],
  ["effects", "[]"],
  ["facts", "null"],
  ["session", "null"],
  ["trace", "[]"],
  ["turn", "null"],
  ["verdict", "null"],
]);

/** Members that are not repeated where an earlier line has an equal one. */
const shareable = ["detail", "digest", "effects", "facts", "gates", "session", "trace", "turn", "changes"];
/** Members of the facts that are not repeated either, where the facts as a whole are new. */
const shareableFacts = ["action", "findings", "folders", "licences", "origin"];
/** Characters below which a text is written again, since naming another line is not shorter. */
const shortest = 40;
/** The number of texts that are remembered. */
const mostKnown = 2000;
/** The maximum number of differences between a list of sources and a list that is written whole. */
const mostSteps = 32;

type NamedSources = {
  readonly line: number;
  readonly effect: number;
  readonly steps: number;
  readonly sources: Label["sources"];
};

/**
 * Makes the lines of a journal. A line does not repeat what an earlier line of the same process says: its `same` names the earlier line, by the byte at
 * which that begins, and the members that are equal. So an outcome names its intent.
 */
export class EntryPacker {
  /** The line that holds a text, by the member's name and the digest of the text. */
  readonly #lines = new Map<string, number>();
  /** The newest list of sources of each kind of effect in each session. */
  readonly #sources = new Map<string, NamedSources>();
  readonly #texts = new WeakMap<object, string>();

  /** Makes a record the next entry of the chain, and its line, which begins at byte `start`. */
  seal(
    record: JournalRecord,
    link: ChainLink,
    start: number,
  ): { readonly entry: JournalEntry; readonly line: string } {
    const members = new Map<string, string>();
    const same = new Map<number, string[]>();
    const share = (name: string, text: string): boolean => {
      if (text.length < shortest) return false;
      const key = `${name} ${sha256(text)}`;
      const line = this.#lines.get(key);
      if (line !== undefined) same.set(line, [...(same.get(line) ?? []), name]);
      else this.#lines.set(key, start);
      dropOldest(this.#lines);
      return line !== undefined;
    };
    const given = { ...record, ...link, version: journalVersion };
    for (const [name, value] of Object.entries(given)) {
      const text = value === undefined ? undefined : this.#textOf(value);
      if (text === undefined || text === defaultMembers.get(name)) continue;
      if (shareable.includes(name) && share(name, text)) continue;
      if (name === "facts" && record.facts !== null) members.set(name, this.#packFacts(record.facts, share));
      else if (name === "effects") members.set(name, this.#packEffects(record, start));
      else members.set(name, text);
    }
    const named = [...same].map(([line, names]) => [String(line), canonicalJson(names.sort())] as const);
    if (named.length > 0) members.set("same", objectOf(new Map(named)));
    const { hash, line } = sealLine(members);
    return { entry: { ...given, hash }, line };
  }

  /** Forgets every line: a line that was sealed did not come into the file. */
  forget(): void {
    this.#lines.clear();
    this.#sources.clear();
  }

  /** The facts without the members that an earlier line has. */
  #packFacts(facts: Facts, share: (name: string, text: string) => boolean): string {
    const members = new Map<string, string>();
    for (const [name, value] of Object.entries(facts)) {
      const text = this.#textOf(value);
      if (shareableFacts.includes(name) && share(`facts.${name}`, text)) continue;
      members.set(name, text);
    }
    return objectOf(members);
  }

  #packEffects({ effects, session }: JournalRecord, start: number): string {
    const packed = effects.map((effect, index) => {
      const sources = this.#packSources(`${session} ${effect.kind} ${index}`, effect, { start, index });
      return canonicalJson({ ...effect, label: { ...effect.label, sources } });
    });
    return `[${packed.join(",")}]`;
  }

  #packSources(
    key: string,
    { label: { sources } }: Effect,
    { start, index }: { readonly start: number; readonly index: number },
  ): Label["sources"] | SharedSources {
    const before = this.#sources.get(key);
    const isNear = before !== undefined && before.steps < mostSteps && before.line !== start;
    const packed = isNear ? packSources(before.sources, sources) : sources;
    const steps = "parts" in packed && before !== undefined ? before.steps + 1 : 0;
    this.#sources.delete(key);
    this.#sources.set(key, { line: start, effect: index, steps, sources });
    dropOldest(this.#sources);
    if (!("parts" in packed) || before === undefined) return sources;
    return { line: before.line, effect: before.effect, parts: packed.parts };
  }

  /** The canonical JSON of a value, made once for each object: an outcome has the objects of its intent. */
  #textOf(value: Json | object): string {
    if (typeof value !== "object" || value === null) return canonicalJson(value);
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = canonicalJson(value as Json);
    this.#texts.set(value, text);
    return text;
  }
}

function dropOldest<Key, Value>(map: Map<Key, Value>): void {
  for (const oldest of map.keys()) {
    if (map.size <= mostKnown) return;
    map.delete(oldest);
  }
}
