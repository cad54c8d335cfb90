import type { Clock } from "../../signal/clock.ts";
import { joinLabels, type Label } from "../../signal/label.ts";
import type { Database } from "../storage/database.ts";
import { json, text } from "../storage/rows.ts";

/** What is remembered of where a text came from. `trusted`: the owner said that it is to count as their own. */
export type TextOrigin = { readonly label: Label; readonly trusted: boolean };

/**
 * Where texts came from, by a hash of what they hold: the SHA-256 of a whole file, or of a node's words. It is truth, not index: nothing that is rebuilt
 * drops it, and it only ever grows less trusting, except by the owner.
 */
export type TextOrigins = {
  /** Joins a label to those that were kept for the hashes. */
  readonly keep: (hashes: readonly string[], label: Label) => Promise<void>;
  /** Those that are known. */
  readonly of: (hashes: readonly string[]) => Promise<ReadonlyMap<string, TextOrigin>>;
  /** The owner's word that what has this hash is to count as their own. */
  readonly trust: (hash: string) => Promise<void>;
};

/** How many sources of one text are remembered. */
const mostSources = 20;

/** How many hashes are looked up by one statement. */
const lookedUpAtOnce = 200;

/** The origins of a database. */
export function openTextOrigins(database: Database, clock: Clock): TextOrigins {
  const known = (hash: string): TextOrigin | null => lookUp(database, [hash]).get(hash) ?? null;
  const put = (hash: string, { label, trusted }: TextOrigin): void =>
    void database.run(
      "INSERT OR REPLACE INTO origins (hash, label, trusted, at) VALUES (?, ?, ?, ?)",
      hash,
      JSON.stringify(label),
      trusted ? 1 : 0,
      clock(),
    );
  return {
    keep: async (hashes, label) =>
      database.transaction("forced", () => {
        for (const hash of hashes) {
          const before = known(hash);
          const joined = before === null ? label : joinLabels(before.label, label);
          const sources = joined.sources.slice(0, mostSources);
          put(hash, { label: { ...joined, sources }, trusted: before?.trusted ?? false });
        }
      }),
    of: async (hashes) => lookUp(database, hashes),
    trust: async (hash) =>
      database.transaction("forced", () => {
        const label = known(hash)?.label ?? { integrity: "user", secrecy: "public", sources: [] };
        put(hash, { label, trusted: true });
      }),
  };
}

function lookUp(database: Database, hashes: readonly string[]): ReadonlyMap<string, TextOrigin> {
  const found = new Map<string, TextOrigin>();
  const wanted = [...new Set(hashes)];
  for (let from = 0; from < wanted.length; from += lookedUpAtOnce) {
    const rows = database.all(
      "SELECT hash, label, trusted FROM origins WHERE hash IN (SELECT value FROM json_each(?))",
      JSON.stringify(wanted.slice(from, from + lookedUpAtOnce)),
    );
    for (const row of rows) {
      found.set(text(row, "hash"), { label: json<Label>(row, "label"), trusted: row["trusted"] === 1 });
    }
  }
  return found;
}
