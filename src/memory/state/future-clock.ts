import type { Approval } from "../../signal/approval.ts";
import type { Database } from "../storage/database.ts";
import { json, text } from "../storage/rows.ts";

/**
 * Milliseconds by which a clock may have been ahead without more: a day. What happened then keeps its place.
 */
const tolerance = 86_400_000;

/**
 * Counts the time of open questions from now where they were asked while a clock was ahead by more than a
 * day.
 */
export async function takeBackFutureQuestions(database: Database, now: number): Promise<void> {
  const ahead = database.all(
    "SELECT hash, body FROM approvals WHERE state = 'open' AND json_extract(body, '$.createdAt') > ?",
    now + tolerance,
  );
  if (ahead.length === 0) return;
  await database.forced(() => {
    for (const row of ahead) {
      const asked = countFromNow(json<Approval>(row, "body"), now);
      database.run(
        "UPDATE approvals SET expires = ?, body = ? WHERE hash = ?",
        asked.expiresAt,
        JSON.stringify(asked),
        text(row, "hash"),
      );
    }
  });
}

/** A question whose time counts from now where it was asked while a clock was ahead by more than a day. */
export function countFromNow(asked: Approval, now: number): Approval {
  if (asked.createdAt <= now + tolerance) return asked;
  return { ...asked, createdAt: now, expiresAt: now + asked.expiresAt - asked.createdAt };
}

/**
 * Takes back what was decided of jobs while a clock was ahead by more than a day: their places, and the runs
 * that wait or were missed. Each job is due at once, to be planned from now on. Gives the names of these
 * jobs.
 */
export async function takeBackFuture(database: Database, now: number): Promise<readonly string[]> {
  const jobs = database.all("SELECT name FROM jobs WHERE last > ? ORDER BY name", now + tolerance);
  if (jobs.length === 0) return [];
  const names = jobs.map((row) => text(row, "name"));
  await database.forced(() => {
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
