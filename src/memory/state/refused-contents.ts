import type { RefusedContent, RefusedContents } from "../../signal/refused-content.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/**
 * The version of what is kept. What another version kept counts as nothing: it is found again in a few
 * requests.
 */
const version = 1;
type Kept = { readonly version: number; readonly refused: readonly RefusedContent[] };

/** What providers refused, kept as one value beside the tables. */
export function openRefusedContents(database: Database): RefusedContents {
  return {
    async all() {
      const row = database.get("SELECT value FROM meta WHERE key = 'refused-contents'");
      const kept = row === undefined ? null : json<Kept>(row, "value");
      return kept?.version === version ? kept.refused : [];
    },
    async save(refused) {
      const kept: Kept = { version, refused };
      database.transaction("unforced", () =>
        database.run("INSERT OR REPLACE INTO meta VALUES ('refused-contents', ?)", JSON.stringify(kept)),
      );
    },
  };
}
