import type { AttachedText, AttachmentMessage } from "../../signal/attachment.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, text } from "../storage/rows.ts";
import { dropUnneeded, usedBytes } from "./blob-room.ts";
import { type BlobStore, dropBlobs, hasBytes, insertBlob, readBlob, touchBlob } from "./blobs.ts";

/** The files that the owner handed over. Their bytes are blobs, which are kept with the turns that they came with. */
export type Attachments = {
  /** Keeps a file for the next words of a session. False where there is no room for it, or it would take too much of the room. */
  readonly keep: (session: string, attached: AttachedText, bytes: Uint8Array) => Promise<boolean>;
  /** A file that was kept for a session, by its digest; null for one that was not, or long ago. */
  readonly find: (session: string, digest: string) => Promise<AttachmentMessage | null>;
  /** The bytes of a file; null where they are not kept any more. */
  readonly bytes: (digest: string) => Promise<Uint8Array | null>;
};

/** A row for each file of a turn, whose `body` names its path; `turn` is empty, and `body` is the file with its text, where it waits for words. */
export const attachmentsTable = `
CREATE TABLE IF NOT EXISTS attachments (
  id TEXT NOT NULL, session TEXT NOT NULL, turn TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session, id, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS attachments_by_id ON attachments (id);
`;

/** The part of the room for blobs that attached files may take; the oldest go first. */
const share = 1 / 4;
/** Milliseconds for which a file waits for words. */
const patience = 86_400_000;

/** The attached files of a database. `total` is the room for all blobs, in bytes. */
export function openAttachments(
  store: BlobStore,
  { clock, total }: { readonly clock: Clock; readonly total: number },
): Attachments {
  const { database } = store;
  return {
    keep: async (session, { file, text: words, label }, bytes) => {
      if (bytes.length > total * share) return false;
      return database.forced(() => {
        const [id, at] = [file.digest, clock()];
        const found = hasBytes(database, id);
        makeRoom(store, { room: total * share - bytes.length, except: id });
        if (found) touchBlob(store, { id, isSecret: false, at });
        else if (usedBytes(database, "").total + bytes.length > total)
          dropUnneeded(store, total - bytes.length, at);
        if (!found && usedBytes(database, "").total + bytes.length > total) return false;
        const form = { stored: bytes, base: null, copies: [] };
        if (!found) insertBlob(store, { id, size: bytes.length, form, isSecret: false, at });
        const body = JSON.stringify({ role: "attachment", file, text: words, label });
        database.run(
          "INSERT OR REPLACE INTO attachments (id, session, turn, at, body) VALUES (?, ?, '', ?, ?)",
          id,
          session,
          at,
          body,
        );
        return true;
      });
    },
    find: async (session, digest) => {
      const row = database.get(
        "SELECT body FROM attachments WHERE session = ? AND id = ? AND turn = ''",
        session,
        digest,
      );
      return row === undefined ? null : json<AttachmentMessage>(row, "body");
    },
    bytes: async (digest) => {
      const read = readBlob(store, digest);
      return read?.ok === true ? read.bytes : null;
    },
  };
}

/** Binds the files of a turn to it, as a part of the transaction that accepts it. */
export function bindAttachments(
  database: Database,
  { turn, session, at }: { readonly turn: string; readonly session: string; readonly at: number },
  attached: readonly AttachmentMessage[],
): void {
  for (const { file } of attached)
    database.run(
      "INSERT OR IGNORE INTO attachments (id, session, turn, at, body) VALUES (?, ?, ?, ?, ?)",
      file.digest,
      session,
      turn,
      at,
      JSON.stringify({ file: { path: file.path } }),
    );
}

/** Gives a session the files of another one, whose turns are its past. */
export function copyAttachments(database: Database, from: string, to: string): void {
  database.run(
    `INSERT OR IGNORE INTO attachments (id, session, turn, at, body)
     SELECT id, ?, 'past', max(at), body FROM attachments WHERE session = ? AND turn <> '' GROUP BY id`,
    to,
    from,
  );
}

/** Forgets the files of a turn, or of a whole session: bytes that nothing else needs are removed. */
export function forgetAttachments(
  store: BlobStore,
  { session, turn = null }: { readonly session: string; readonly turn?: string | null },
): void {
  const { database } = store;
  const ids = database
    .all(
      "SELECT DISTINCT id FROM attachments WHERE session = ?1 AND (?2 IS NULL OR turn = ?2)",
      session,
      turn,
    )
    .map((row) => text(row, "id"));
  for (const id of ids)
    database.run(
      "DELETE FROM attachments WHERE session = ?1 AND id = ?2 AND (?3 IS NULL OR turn IN (?3, ''))",
      session,
      id,
      turn,
    );
  dropBlobs(store, new Set(ids.filter((id) => !isNeeded(database, id))), "forgotten");
}

/** Drops the files that no words came for. */
export function dropUnsaid(store: BlobStore, now: number): void {
  const { database } = store;
  const waiting = "turn = '' AND at < ?";
  const ids = database
    .all(`SELECT DISTINCT id FROM attachments WHERE ${waiting}`, now - patience)
    .map((row) => text(row, "id"));
  database.run(`DELETE FROM attachments WHERE ${waiting}`, now - patience);
  dropBlobs(store, new Set(ids.filter((id) => !isNeeded(database, id))), "evicted");
}

/** Drops the bytes of the oldest attached files until they take at most `room` bytes. */
function makeRoom(
  store: BlobStore,
  { room, except }: { readonly room: number; readonly except: string },
): void {
  const rows = store.database.all(
    `SELECT id, size FROM blobs WHERE bytes IS NOT NULL AND id <> ? AND id IN (SELECT id FROM attachments)
     ORDER BY at, number`,
    except,
  );
  let used = rows.reduce((sum, row) => sum + integer(row, "size"), 0);
  const dropped = new Set<string>();
  for (const row of rows) {
    if (used <= room) break;
    used -= integer(row, "size");
    if (!isUndo(store.database, text(row, "id"))) dropped.add(text(row, "id"));
  }
  dropBlobs(store, dropped, "evicted");
}

function isNeeded(database: Database, id: string): boolean {
  return isUndo(database, id) || database.get("SELECT 1 FROM attachments WHERE id = ?", id) !== undefined;
}

/** Whether an undo may need the same bytes. */
function isUndo(database: Database, id: string): boolean {
  return (
    database.get(
      `SELECT 1 FROM changes WHERE undone = 0 AND (pre_image = ?1 OR after = ?1)
       UNION ALL SELECT 1 FROM pending_edits WHERE body ->> '$.base' = ?1 LIMIT 1`,
      id,
    ) !== undefined
  );
}
