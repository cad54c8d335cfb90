import { randomUUID } from "node:crypto";
import type { SessionSummary } from "../../shown/session-summary.ts";
import { PipelineError } from "../../signal/failure.ts";
import type { Source } from "../../signal/signal.ts";
import type { Clock } from "../../text/clock.ts";
import { beginOf } from "../../text/cut-text.ts";
import type { Database } from "../storage/database.ts";
import { integer, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import { placesOfTurn } from "./turn-rows.ts";

/** A conversation: its turns run one at a time, in one workspace. */
export type Session = {
  readonly id: string;
  readonly name: string | null;
  /** Real absolute path, fixed when the session begins. */
  readonly workspace: string | null;
  /** Id of the memory object in focus. */
  readonly focus: string | null;
  /** The kind of client that began it; `system` for the session of a sub-task, which is in no list. */
  readonly source: Source;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** The sessions on disk. */
export type Sessions = {
  /** Opens the session with a name, or a new one; without a name always a new one. */
  readonly open: (wanted: {
    readonly name: string | null;
    readonly workspace: string | null;
    readonly source: Source;
  }) => Promise<Session>;
  readonly get: (id: string) => Promise<Session | null>;
  readonly byName: (name: string) => Promise<Session | null>;
  /** The session of an id, of a name, or of the first characters of an id that only one has. */
  readonly find: (named: string) => Promise<Session | null>;
  /** The session of a workspace that was used last, has a turn, and in which no unproved client said anything. */
  readonly latest: (workspace: string | null) => Promise<Session | null>;
  /** Whether a client that did not prove itself said something in a session. */
  readonly isUnproved: (id: string) => Promise<boolean>;
  /** Gives the sessions of a folder, and what they changed in it, the path that the folder has now. */
  readonly moveFolder: (from: string, to: string) => Promise<void>;
  readonly setFocus: (id: string, focus: string | null) => Promise<Session>;
  /** The sessions with turns that were used last, the newest first, without those of unproved clients. */
  readonly list: (limit: number) => Promise<readonly SessionSummary[]>;
  /** Names a session. False where another one has the name, or it as its id. */
  readonly rename: (id: string, name: string) => Promise<boolean>;
};

/** The sessions in which a client that did not prove itself said something. They stay here when what it said is forgotten. */
export const unprovedSessionsTable = `
CREATE TABLE unproved_sessions (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

const isUnproved = "EXISTS (SELECT 1 FROM unproved_sessions WHERE unproved_sessions.id = sessions.id)";

const lastTurnOf = (id: string): string => `(SELECT max(number) FROM turns WHERE turns.session = ${id})`;

/**
 * When a session was used, where `?1` is the time now. One that was used while the clock was ahead was used
 * before the others in which something was said since.
 */
const usedAt = `iif(updated <= ?1, updated, coalesce(
  (SELECT min(later.updated) - 1 FROM sessions AS later
     WHERE later.updated <= ?1 AND ${lastTurnOf("later.id")} > ${lastTurnOf("sessions.id")}), ?1))`;

/** The sessions of a database. */
export function openSessions(database: Database, clock: Clock): Sessions {
  const one = (where: string, ...values: readonly (string | number | null)[]): Session | null => {
    const row = database.get(`SELECT * FROM sessions ${where}`, ...values);
    return row === undefined ? null : sessionOf(row);
  };
  const known = (id: string): Session => {
    const session = one("WHERE id = ?", id);
    if (session === null) throw new PipelineError(`there is no session ${id}`, null);
    return session;
  };
  return {
    open: async ({ name, workspace, source }) =>
      database.forced(() => {
        const existing = name === null ? null : one("WHERE name = ?", name);
        if (existing !== null) return existing;
        const id = randomUUID();
        const at = clock();
        database.run(
          "INSERT INTO sessions (id, name, workspace, source, focus, created, updated) VALUES (?, ?, ?, ?, NULL, ?, ?)",
          id,
          name,
          workspace,
          source,
          at,
          at,
        );
        return known(id);
      }),
    get: async (id) => one("WHERE id = ?", id),
    byName: async (name) => one("WHERE name = ?", name),
    find: async (named) =>
      one("WHERE id = ?", named) ?? one("WHERE name = ?", named) ?? byFirstCharacters(database, named),
    latest: async (workspace) =>
      one(
        `WHERE workspace IS ?2 AND EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.id)
           AND NOT ${isUnproved} AND source != 'system' ORDER BY ${usedAt} DESC, number DESC LIMIT 1`,
        clock(),
        workspace,
      ),
    isUnproved: async (id) => one(`WHERE id = ? AND ${isUnproved}`, id) !== null,
    moveFolder: async (from, to) => moveFolder(database, from, to),
    setFocus: async (id, focus) =>
      database.transaction("unforced", () => {
        known(id);
        database.run("UPDATE sessions SET focus = ?, updated = ? WHERE id = ?", focus, clock(), id);
        return known(id);
      }),
    list: async (limit) => listSessions(database, limit, clock()),
    rename: async (id, name) =>
      database.forced(() => {
        if (one("WHERE (name = ?1 OR id = ?1) AND id != ?2", name, id) !== null) return false;
        database.run("UPDATE sessions SET name = ? WHERE id = ?", name, known(id).id);
        return true;
      }),
  };
}

/** Sessions of a folder that was renamed, and what they changed in it, have its new path. */
async function moveFolder(database: Database, from: string, to: string): Promise<void> {
  await database.forced(() => {
    database.run(
      `UPDATE changes SET path = ?2 || substr(path, length(?1) + 1)
       WHERE session IN (SELECT id FROM sessions WHERE workspace = ?1)
         AND (path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/')`,
      from,
      to,
    );
    database.run("UPDATE sessions SET workspace = ?2 WHERE workspace = ?1", from, to);
  });
}

/** Eight characters of an id are what a list shows. */
function byFirstCharacters(database: Database, named: string): Session | null {
  if (!/^[0-9a-f-]{8,36}$/.test(named)) return null;
  const [only, other] = database.all(
    "SELECT * FROM sessions WHERE substr(id, 1, ?) = ? LIMIT 2",
    named.length,
    named,
  );
  return only === undefined || other !== undefined ? null : sessionOf(only);
}

/** What a session without a name is called by: the beginning of its first words. */
const titleCharacters = 60;

function listSessions(database: Database, limit: number, now: number): readonly SessionSummary[] {
  return database
    .all(
      `SELECT sessions.*, ${usedAt} AS used,
         (SELECT count(*) FROM turns WHERE turns.session = sessions.id) AS turns,
         (SELECT coalesce(sum(cost), 0) FROM ledger WHERE ledger.session = sessions.id) AS cost,
         (SELECT count(DISTINCT body ->> '$.turn') FROM approvals
            WHERE approvals.session = sessions.id AND state = 'open' AND expires > ?1) AS questions,
         (SELECT count(*) FROM outbox WHERE outbox.session = sessions.id AND delivered = 0) AS unseen,
         (SELECT messages.body ->> '$.text' FROM messages
            WHERE place = ${placesOfTurn} * (SELECT min(number) FROM turns WHERE turns.session = sessions.id)) AS words
       FROM sessions WHERE EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.id) AND NOT ${isUnproved}
         AND source != 'system'
       ORDER BY used DESC, number DESC LIMIT ?2`,
      now,
      limit,
    )
    .map((row) => {
      const { id, name, workspace, createdAt } = sessionOf(row);
      const words = (textOrNull(row, "words") ?? "").trim().replaceAll(/\s+/g, " ");
      const isLong = words.length > titleCharacters;
      return {
        id,
        title: name ?? (isLong ? `${beginOf(words, titleCharacters)}…` : words || "(no words)"),
        isNamed: name !== null,
        workspace,
        startedAt: createdAt,
        usedAt: integer(row, "used"),
        turns: integer(row, "turns"),
        microdollars: integer(row, "cost"),
        questions: integer(row, "questions"),
        unseen: integer(row, "unseen"),
      };
    });
}

/** Notes that an unproved client said something in a session, as a part of the caller's transaction. */
export function markUnproved(database: Database, id: string): void {
  database.run("INSERT OR IGNORE INTO unproved_sessions (id) VALUES (?)", id);
}

/** Notes that a session was used, as a part of the caller's transaction. */
export function touchSession(database: Database, id: string, at: number): void {
  database.run("UPDATE sessions SET updated = ? WHERE id = ?", at, id);
}

function sessionOf(row: Row): Session {
  return {
    id: text(row, "id"),
    name: textOrNull(row, "name"),
    workspace: textOrNull(row, "workspace"),
    focus: textOrNull(row, "focus"),
    source: oneOf(row, "source", ["cli", "tui", "emacs", "telegram", "signal", "system"]),
    createdAt: integer(row, "created"),
    updatedAt: integer(row, "updated"),
  };
}
