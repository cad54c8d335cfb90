import type { Database } from "../storage/database.ts";
import { text } from "../storage/rows.ts";

/** Milliseconds by which a clock may have been ahead without more: a day. What happened then keeps its place. */
const tolerance = 86_400_000;

/**
 * Takes back what was decided of jobs while a clock was ahead by more than a day: their places, and the runs that wait or were missed. Each job is due at
 * once, to be planned from now on. Gives the names of these jobs.
 */
export function takeBackFuture(database: Database, now: number): readonly string[] {
  const jobs = database.all("SELECT name FROM jobs WHERE last > ? ORDER BY name", now + tolerance);
  if (jobs.length === 0) return [];
  const names = jobs.map((row) => text(row, "name"));
  database.transaction("forced", () => {
    for (const name of names) {
      database.run(
        "DELETE FROM job_runs WHERE job = ? AND until > ? AND state IN ('queued', 'missed')",
        name,
        now + tolerance,
      );
      database.run(
        "UPDATE job_runs SET started = min(started, ?2), ended = min(ended, ?2) WHERE job = ?1 AND (started > ?2 OR ended > ?2)",
        name,
        now,
      );
      database.run(
        "UPDATE jobs SET last = ?1, next = iif(body ->> '$.job.trigger.kind' = 'cron', ?1, NULL) WHERE name = ?2",
        now,
        name,
      );
    }
  });
  return names;
}
