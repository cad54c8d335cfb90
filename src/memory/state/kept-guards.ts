import { randomUUID } from "node:crypto";
import type { KeptGuard, KeptGuards } from "../../signal/kept-guard.ts";
import type { Database } from "../storage/database.ts";
import { json, text } from "../storage/rows.ts";

/** The version of what is kept. What another version kept is dropped: its lines have ended. */
const version = 1;
type Kept = { readonly version: number; readonly guard: KeptGuard };
const prefix = "kept-guard:";

/** The guards of command lines that run, each as a value beside the tables. */
export function openKeptGuards(database: Database): KeptGuards {
  return {
    async keep(guard) {
      const id = randomUUID();
      const kept: Kept = { version, guard };
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
        const kept = json<Kept>(row, "value");
        return kept.version === version
          ? [{ id: text(row, "key").slice(prefix.length), guard: kept.guard }]
          : [];
      });
    },
  };
}
