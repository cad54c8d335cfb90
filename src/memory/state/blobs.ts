import type { Database } from "../storage/database.ts";
import { sha256 } from "../storage/digest.ts";
import { integer, text } from "../storage/rows.ts";
import type { Sealing } from "./sealing.ts";

/** The state of a blob's bytes. */
export type BlobFate = "kept" | "sealed" | "evicted" | "large" | "forgotten";

/** All fates, to check a column. */
export const blobFates: readonly BlobFate[] = ["kept", "sealed", "evicted", "large", "forgotten"];

/** Milliseconds for which a blob without references counts as part of a running turn, and is not evicted before the others. */
const graceTime = 3_600_000;

/**
 * Stores bytes under their SHA-256, encrypted if `seal` is given, within the quota, as a part of the caller's transaction. To make room it evicts first the
 * blobs that no undoable change refers to, then the oldest. An evicted blob leaves its id and the reason.
 */
export function storeBlob(
  database: Database,
  blob: {
    readonly bytes: Uint8Array;
    readonly seal: Sealing["seal"] | null;
    readonly quota: number;
    readonly at: number;
  },
): { readonly id: string; readonly kept: boolean } {
  const id = sha256(blob.bytes);
  const kept = blob.bytes.byteLength <= blob.quota;
  const fate: BlobFate = kept ? (blob.seal === null ? "kept" : "sealed") : "large";
  if (kept) makeRoom(database, { ...blob, id });
  database.run(
    `INSERT INTO blobs (id, fate, size, at, bytes) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET fate = ?2, at = ?4, bytes = ?5`,
    id,
    fate,
    blob.bytes.byteLength,
    blob.at,
    kept ? (blob.seal?.(blob.bytes) ?? blob.bytes) : null,
  );
  return { id, kept };
}

/** Evicts blobs until the rest is within the quota; returns how many lost their bytes. */
export function shrinkBlobs(database: Database, quota: number, at: number): number {
  return evict(database, totalBytes(database) - quota, at);
}

function makeRoom(
  database: Database,
  blob: { readonly id: string; readonly bytes: Uint8Array; readonly quota: number; readonly at: number },
): void {
  if (database.get("SELECT 1 FROM blobs WHERE id = ? AND bytes IS NOT NULL", blob.id) !== undefined) return;
  evict(database, totalBytes(database) + blob.bytes.byteLength - blob.quota, blob.at);
}

function totalBytes(database: Database): number {
  const row = database.get("SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE bytes IS NOT NULL");
  return row === undefined ? 0 : integer(row, "bytes");
}

function evict(database: Database, excess: number, at: number): number {
  let left = excess;
  let evicted = 0;
  while (left > 0) {
    const row = database.get(
      `SELECT id, size FROM blobs WHERE bytes IS NOT NULL ORDER BY
         at > ? OR EXISTS (SELECT 1 FROM changes WHERE pre_image = blobs.id AND undone = 0), at, number LIMIT 1`,
      at - graceTime,
    );
    if (row === undefined) return evicted;
    database.run("UPDATE blobs SET fate = 'evicted', bytes = NULL WHERE id = ?", text(row, "id"));
    left -= integer(row, "size");
    evicted += 1;
  }
  return evicted;
}
