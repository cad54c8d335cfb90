import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import { type Author, realms } from "./memory-object.ts";
import { hasVersion, type Placement, placeObjects } from "./object-store.ts";

/** A point in the history of memory and of changed files: two numbers, whatever the size of memory. */
export type Snapshot = {
  readonly id: number;
  /** The last change of memory before it. */
  readonly sequence: number;
  /** The last change of files before it. */
  readonly change: number;
  readonly note: string;
  readonly at: number;
};

/** The changes of one session that a rollback undoes. `session` is null for changes outside of any session, as when files were read again. */
export type SessionRollback = {
  readonly session: string | null;
  readonly changes: number;
  readonly objects: readonly string[];
};

/** The result of a rollback. `undo` is the snapshot that undoes the rollback. */
export type RollbackResult =
  | {
      readonly ok: true;
      readonly undo: Snapshot;
      readonly restored: number;
      readonly sessions: readonly SessionRollback[];
      /** Ids of objects that cannot be restored because they were forgotten. */
      readonly forgotten: readonly string[];
    }
  | { readonly ok: false; readonly code: "unknown-snapshot"; readonly reason: string };

/** Inserts a snapshot. It is deferred: it can be lost only together with every change after it, and memory is then at that point anyway. */
export function insertSnapshot(database: Database, note: string, clock: Clock): Snapshot {
  return database.transaction("deferred", () => {
    const row = database.get(
      `INSERT INTO snapshots (sequence, change, note, at)
       VALUES (coalesce((SELECT max(sequence) FROM object_changes), 0), coalesce((SELECT max(number) FROM changes), 0), ?, ?) RETURNING *`,
      note,
      clock(),
    );
    if (row === undefined) throw new Error("the snapshot was not kept");
    return snapshotOf(row);
  });
}

/** All snapshots, newest first. */
export function listSnapshots(database: Database): readonly Snapshot[] {
  return database.all("SELECT * FROM snapshots ORDER BY id DESC").map(snapshotOf);
}

/** Removes all but the newest snapshots that were taken for a turn, and returns their number. Snapshots by hand or by a rollback stay. */
export function forgetSnapshots(database: Database, keep: number): number {
  return database.run(
    `DELETE FROM snapshots WHERE id IN (
       SELECT id FROM snapshots WHERE note IN (SELECT id FROM turns) ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    keep,
  );
}

/** The changes that a rollback to a snapshot would undo, by session; null if there is no such snapshot. */
export function changesBySession(database: Database, id: number): readonly SessionRollback[] | null {
  const snapshot = byId(database, id);
  if (snapshot === null) return null;
  const bySession = new Map<string | null, { changes: number; objects: Set<string> }>();
  for (const row of database.all(
    "SELECT session, realm, id FROM object_changes WHERE sequence > ? ORDER BY sequence",
    snapshot.sequence,
  )) {
    const session = textOrNull(row, "session");
    const entry = bySession.get(session) ?? { changes: 0, objects: new Set() };
    entry.changes += 1;
    entry.objects.add(`${text(row, "realm")}/${text(row, "id")}`);
    bySession.set(session, entry);
  }
  return [...bySession].map(([session, { changes, objects }]) => ({
    session,
    changes,
    objects: [...objects],
  }));
}

/** Restores memory as it was at a snapshot, after it took another snapshot to undo the rollback. The cost grows with the changes since then. */
export function rollBack(
  database: Database,
  id: number,
  author: Author,
  clock: Clock,
): Promise<RollbackResult> {
  return database.forced(() => {
    const snapshot = byId(database, id);
    const sessions = changesBySession(database, id);
    if (snapshot === null || sessions === null) {
      return { ok: false, code: "unknown-snapshot", reason: `there is no snapshot ${id}` };
    }
    const undo = insertSnapshot(database, rollbackNote(id), clock);
    const wanted = versionsAt(database, snapshot.sequence);
    const there = wanted.filter(({ hash }) => hash === null || hasVersion(database, hash));
    const restored = placeObjects(database, there, author, clock());
    const forgotten = wanted.filter((one) => !there.includes(one)).map(({ id: object }) => object);
    return { ok: true, undo, restored, sessions, forgotten };
  });
}

/** The note of the snapshot that a rollback to another one takes first. */
export function rollbackNote(id: number): string {
  return `before the rollback to snapshot ${id}`;
}

/** The objects that changed after a point, with their versions at that point. */
function versionsAt(database: Database, sequence: number): readonly Placement[] {
  const first = new Map<string, Placement>();
  for (const row of database.all(
    "SELECT realm, id, before FROM object_changes WHERE sequence > ? ORDER BY sequence",
    sequence,
  )) {
    const realm = oneOf(row, "realm", realms);
    const id = text(row, "id");
    const key = `${realm}/${id}`;
    if (!first.has(key)) first.set(key, { realm, id, hash: textOrNull(row, "before") });
  }
  return [...first.values()];
}

function byId(database: Database, id: number): Snapshot | null {
  const row = database.get("SELECT * FROM snapshots WHERE id = ?", id);
  return row === undefined ? null : snapshotOf(row);
}

function snapshotOf(row: Row): Snapshot {
  return {
    id: integer(row, "id"),
    sequence: integer(row, "sequence"),
    change: integer(row, "change"),
    note: text(row, "note"),
    at: integer(row, "at"),
  };
}
