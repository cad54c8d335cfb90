import type { KeptShadow } from "../../signal/jobs/job-shadow.ts";
import type { Database } from "../storage/database.ts";
import { json, text } from "../storage/rows.ts";

/** What is known of jobs that go on doing the same, by name. */
export type JobShadows = {
  /** Null where nothing is kept, or what another version kept: then the count begins anew. */
  readonly get: (job: string) => Promise<KeptShadow | null>;
  /** Forced to disk. Null forgets it. */
  readonly set: (job: string, kept: KeptShadow | null) => Promise<void>;
  /** The jobs of which an offer to make them a reflex is known. */
  readonly offered: () => Promise<readonly string[]>;
};

type Kept = KeptShadow & { readonly version: number };
const version = 3;
const prefix = "job-shadow ";

/** Removes what is known of a job, as a part of the caller's transaction: the calls that it repeats have texts of its turns. */
export function forgetJobShadow(database: Database, job: string): void {
  database.run("DELETE FROM meta WHERE key = ?", prefix + job);
}

/** Values beside the tables, one a job. */
export function openJobShadows(database: Database): JobShadows {
  return {
    async get(job) {
      const row = database.get("SELECT value FROM meta WHERE key = ?", prefix + job);
      const kept = row === undefined ? null : json<Kept>(row, "value");
      return kept?.version === version ? { shadow: kept.shadow, offer: kept.offer } : null;
    },
    async set(job, kept) {
      await database.forced(() => {
        if (kept === null) forgetJobShadow(database, job);
        else
          database.run(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            prefix + job,
            JSON.stringify({ version, ...kept } satisfies Kept),
          );
      });
    },
    async offered() {
      return database
        .all(
          "SELECT key FROM meta WHERE key GLOB ? AND value ->> '$.offer' IS NOT NULL ORDER BY key",
          `${prefix}*`,
        )
        .map((row) => text(row, "key").slice(prefix.length));
    },
  };
}
