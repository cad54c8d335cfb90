import type { Json } from "../../text/json.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** One value that another room reads and writes. */
export type KeptValue = {
  /** Null where nothing is kept, or what another version kept. */
  readonly get: () => Promise<Json>;
  /** Forced to disk. */
  readonly set: (value: Json) => Promise<void>;
};

type Kept = { readonly version: number; readonly value: Json };

/** The values beside the tables. */
export function openKeptValues(database: Database) {
  return {
    recordedPolicy: openKeptValue(database, "recorded-policy", 1),
    raisedBudget: openKeptValue(database, "raised-budget", 1),
    shadowRules: openKeptValue(database, "shadow-rules", 1),
    folderOrders: openKeptValue(database, "folder-orders", 1),
    trustedCopies: openKeptValue(database, "trusted-copies", 1),
    offeredOrders: openKeptValue(database, "offered-orders", 1),
    scribe: openKeptValue(database, "scribe", 1),
    sessionFolders: openKeptValue(database, "session-folders", 1),
    sessionPlaces: openKeptValue(database, "session-places", 1),
    gardened: openKeptValue(database, "gardened", 1),
    begunUndo: openKeptValue(database, "begun-undo", 1),
    restored: openKeptValue(database, "restored", 1),
    untold: openKeptValue(database, "untold", 1),
    startedVersion: openKeptValue(database, "started-version", 1),
  };
}

/** A value beside the tables, with the version of its form. */
function openKeptValue(database: Database, key: string, version: number): KeptValue {
  return {
    async get() {
      const row = database.get("SELECT value FROM meta WHERE key = ?", key);
      const kept = row === undefined ? null : json<Kept>(row, "value");
      return kept?.version === version ? kept.value : null;
    },
    async set(value) {
      const kept: Kept = { version, value };
      await database.forced(() =>
        database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, JSON.stringify(kept)),
      );
    },
  };
}
