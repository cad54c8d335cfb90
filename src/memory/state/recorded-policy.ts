import type { JsonObject } from "../../signal/json.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** What is allowed, as the journal knows it. */
export type RecordedPolicy = {
  /** Null where nothing was recorded yet. */
  readonly get: () => Promise<JsonObject | null>;
  readonly set: (policy: JsonObject) => Promise<void>;
};

/** The version of what is kept. What another version kept counts as nothing: then all that is allowed is journalled once more. */
const version = 1;
type Kept = { readonly version: number; readonly policy: JsonObject };

/** The recorded policy, as one value beside the tables. */
export function openRecordedPolicy(database: Database): RecordedPolicy {
  return {
    async get() {
      const row = database.get("SELECT value FROM meta WHERE key = 'recorded-policy'");
      const kept = row === undefined ? null : json<Kept>(row, "value");
      return kept?.version === version ? kept.policy : null;
    },
    async set(policy) {
      const kept: Kept = { version, policy };
      database.transaction("forced", () =>
        database.run("INSERT OR REPLACE INTO meta VALUES ('recorded-policy', ?)", JSON.stringify(kept)),
      );
    },
  };
}
