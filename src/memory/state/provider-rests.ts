import type { ProviderRest, ProviderRests } from "../../signal/provider-rest.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** The version of what is kept. What another version kept counts as nothing: a rest is worth one call. */
const version = 1;
type Kept = { readonly version: number; readonly rests: readonly ProviderRest[] };

/** Which providers rest, kept as one value beside the tables. */
export function openProviderRests(database: Database): ProviderRests {
  return {
    async all() {
      const row = database.get("SELECT value FROM meta WHERE key = 'provider-rests'");
      const kept = row === undefined ? null : json<Kept>(row, "value");
      return kept?.version === version ? kept.rests : [];
    },
    async save(rests) {
      const kept: Kept = { version, rests };
      database.transaction("unforced", () =>
        database.run("INSERT OR REPLACE INTO meta VALUES ('provider-rests', ?)", JSON.stringify(kept)),
      );
    },
  };
}
