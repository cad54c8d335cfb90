import { randomUUID } from "node:crypto";
import type { KeptGuard } from "../../signal/kept-guard.ts";
import type { KeptItems } from "../../signal/kept-items.ts";
import type { UnlabelledWrites } from "../../signal/unlabelled-writes.ts";
import type { Database } from "../storage/database.ts";
import { json, text } from "../storage/rows.ts";

type Kept<Item> = { readonly version: number; readonly item: Item };

/** What is kept of the command lines that run. */
export function openKeptLines(database: Database) {
  return {
    keptGuards: openKeptItems<KeptGuard>(database, "kept-guard:", 2),
    unlabelledWrites: openKeptItems<UnlabelledWrites>(database, "unlabelled-writes:", 1),
  };
}

/**
 * Things that are kept while something runs, each as a value beside the tables, whose key begins with
 * `prefix`. What another version of their form kept is dropped.
 */
function openKeptItems<Item>(database: Database, prefix: string, version: number): KeptItems<Item> {
  return {
    async keep(item) {
      const id = randomUUID();
      const kept: Kept<Item> = { version, item };
      database.transaction("unforced", () =>
        database.run("INSERT INTO meta VALUES (?, ?)", prefix + id, JSON.stringify(kept)),
      );
      return id;
    },
    async drop(id) {
      database.transaction("unforced", () => database.run("DELETE FROM meta WHERE key = ?", prefix + id));
    },
    async all() {
      const rows = database.all("SELECT key, value FROM meta WHERE key GLOB ?", `${prefix}*`);
      return rows.flatMap((row) => {
        const kept = json<Kept<Item>>(row, "value");
        return kept.version === version
          ? [{ id: text(row, "key").slice(prefix.length), item: kept.item }]
          : [];
      });
    },
  };
}
