import type { ProviderRest } from "../../signal/provider-rest.ts";
import type { RefusedContent } from "../../signal/refused-content.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/**
 * A list that is kept as one value beside the tables. It is not forced to disk, and what another version of
 * its form kept counts as nothing: only what is found again in a few calls is kept so.
 */
export type KeptList<Item> = {
  readonly all: () => Promise<readonly Item[]>;
  /** Replaces what is kept. */
  readonly save: (list: readonly Item[]) => Promise<void>;
};

type Kept<Item> = { readonly version: number; readonly list: readonly Item[] };

/** What providers are known to refuse, and which of them rest. */
export function openKeptLists(database: Database) {
  return {
    providerRests: openKeptList<ProviderRest>(database, "provider-rests", 2),
    refusedContents: openKeptList<RefusedContent>(database, "refused-contents", 2),
  };
}

/** Opens the list with this key, in this version of its form. */
export function openKeptList<Item>(database: Database, key: string, version: number): KeptList<Item> {
  return {
    async all() {
      const row = database.get("SELECT value FROM meta WHERE key = ?", key);
      const kept = row === undefined ? null : json<Kept<Item>>(row, "value");
      return kept?.version === version ? kept.list : [];
    },
    async save(list) {
      const kept: Kept<Item> = { version, list };
      database.transaction("unforced", () =>
        database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, JSON.stringify(kept)),
      );
    },
  };
}
