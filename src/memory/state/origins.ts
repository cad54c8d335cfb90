import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { json, text } from "../storage/rows.ts";

/** The known origin of a text. `trusted` means that the owner said that the text counts as their own. */
export type TextOrigin = { readonly label: Label; readonly trusted: boolean };

/**
 * The origins of texts, by a hash of their content: the SHA-256 of a whole file, or of a node's words. They are truth, not index: no rebuild drops them, and
 * trust in them only falls, except by the owner's word.
 */
export type TextOrigins = {
  /** Joins a label with the stored labels of the hashes. */
  readonly keep: (hashes: readonly string[], label: Label) => Promise<void>;
  /** The known origins of the hashes. */
  readonly of: (hashes: readonly string[]) => Promise<ReadonlyMap<string, TextOrigin>>;
  /** The known origins whose hashes begin with a text, without it. */
  readonly under: (prefix: string) => Promise<ReadonlyMap<string, Label>>;
  /** The hashes of the texts whose label is meant. */
  readonly find: (isMeant: (label: Label) => boolean) => Promise<ReadonlySet<string>>;
  /** Notes that the owner said that the texts with these hashes are no longer private. */
  readonly publish: (hashes: readonly string[]) => Promise<void>;
  /** Notes that the owner said that the texts with these hashes count as their own. */
  readonly trust: (hashes: readonly string[]) => Promise<void>;
};

/** The maximum number of sources in a stored label: all of a conversation's, and some of another origin. */
const mostSources = 40;

/** The number of hashes that a statement looks up. */
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
      database.forced(() => {
        for (const hash of hashes) {
          const before = known(hash);
          const joined = before === null ? label : joinLabels(before.label, label);
          const sources = joined.sources.slice(0, mostSources);
          put(hash, { label: { ...joined, sources }, trusted: before?.trusted ?? false });
        }
      }),
    of: async (hashes) => lookUp(database, hashes),
    under: async (prefix) =>
      new Map(
        database
          .all("SELECT hash, label FROM origins WHERE hash >= ? AND hash < ?", prefix, `${prefix}~`)
          .map((row) => [text(row, "hash").slice(prefix.length), json<Label>(row, "label")]),
      ),
    find: async (isMeant) =>
      new Set(
        database
          .all("SELECT hash, label FROM origins")
          .flatMap((row) => (isMeant(json<Label>(row, "label")) ? [text(row, "hash")] : [])),
      ),
    publish: async (hashes) =>
      database.forced(() => {
        for (const hash of hashes) {
          const before = known(hash);
          if (before !== null) put(hash, { ...before, label: { ...before.label, secrecy: "public" } });
        }
      }),
    trust: async (hashes) =>
      database.forced(() => {
        for (const hash of hashes) put(hash, { label: known(hash)?.label ?? bottomLabel, trusted: true });
      }),
  };
}

/** The label of all that is known of texts with these hashes, but of those that the owner said are their own. */
export async function labelOfTexts(
  { of }: Pick<TextOrigins, "of">,
  hashes: readonly string[],
): Promise<Label> {
  const known = await of(hashes);
  return joinAll([...known.values()].flatMap(({ label, trusted }) => (trusted ? [] : [label])));
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
