import type { Database } from "../storage/database.ts";

/**
 * What is kept of sessions as values beside the tables: the key of each, and the property that has the
 * sessions.
 */
const perSession = [
  ["chosen-models", "chosen"],
  ["session-places", "value"],
] as const;

/**
 * Gives a session that is made of another one what binds that one: the model that the owner chose for it,
 * its folder as it was noted, and that a client without a proof said something in it. Whatever is kept of a
 * session and limits it stands here; what is allowed to it, as a flight plan, stays where it is. A part of
 * the caller's transaction.
 */
export function inheritSession(database: Database, from: string, to: string): void {
  for (const [key, sessions] of perSession)
    database.run(
      `UPDATE meta SET value = json_set(value, ?3, json_extract(value, ?2))
       WHERE key = ?1 AND json_extract(value, ?2) IS NOT NULL`,
      key,
      pathOf(sessions, from),
      pathOf(sessions, to),
    );
  database.run(
    "INSERT OR IGNORE INTO unproved_sessions (id) SELECT ?2 FROM unproved_sessions WHERE id = ?1",
    from,
    to,
  );
}

function pathOf(sessions: string, session: string): string {
  return `$.${sessions}.${JSON.stringify(session)}`;
}
