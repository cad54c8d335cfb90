import { sha256 } from "../../machine/digest.ts";
import type { Database } from "../storage/database.ts";
import { bytesOrNull, json, oneOf, type Row, text } from "../storage/rows.ts";
import { applyDelta, type Delta, makeDelta } from "./delta.ts";
import type { Sealing } from "./sealing.ts";

/** The state of a blob's bytes. */
export type BlobFate = "kept" | "sealed" | "evicted" | "large" | "forgotten";

/** All fates, to check a column. */
const blobFates: readonly BlobFate[] = ["kept", "sealed", "evicted", "large", "forgotten"];

/** Where blobs are, and what encrypts them. */
export type BlobStore = { readonly database: Database; readonly sealing: Sealing };

/** The form in which bytes are stored: whole, or as differences from another blob. */
export type BlobForm = {
  readonly stored: Uint8Array;
  readonly base: string | null;
  readonly copies: Delta["copies"];
};

/** Shorter texts are stored whole. */
const leastBytes = 2048;
/** Bytes that a copy counts for in a delta. */
const copyBytes = 24;
/** Links from a blob to a whole blob. A reader goes through all of them. */
const longestChain = 8;

/** A blob to store. Without a form (too large) only its digest and its size are stored. */
type NewBlob = {
  readonly id: string;
  readonly size: number;
  readonly form: BlobForm | null;
  readonly isSecret: boolean;
  readonly at: number;
};

/** Stores bytes under their digest, encrypted if they are secret, as a part of the caller's transaction. */
export function insertBlob(
  { database, sealing }: BlobStore,
  { id, size, form, isSecret, at }: NewBlob,
): void {
  const stored = form === null ? null : isSecret ? sealing.seal(form.stored) : form.stored;
  database.run(
    `INSERT INTO blobs (id, fate, size, at, bytes) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET fate = ?2, size = ?3, at = ?4, bytes = ?5`,
    id,
    form === null ? "large" : isSecret ? "sealed" : "kept",
    form === null ? size : sizeOfForm(form),
    at,
    stored,
  );
  database.run("DELETE FROM blob_deltas WHERE id = ?", id);
  if (form === null || form.base === null) return;
  const copies = JSON.stringify(form.copies);
  database.run("INSERT INTO blob_deltas (id, base, copies) VALUES (?, ?, ?)", id, form.base, copies);
}

/** Whether the bytes of a blob are stored. */
export function hasBytes(database: Database, id: string): boolean {
  return database.get("SELECT 1 FROM blobs WHERE id = ? AND bytes IS NOT NULL", id) !== undefined;
}

/** Makes a stored blob new again, and encrypts it if it is secret now. */
export function touchBlob(
  { database, sealing }: BlobStore,
  { id, isSecret, at }: Pick<NewBlob, "id" | "isSecret" | "at">,
): void {
  database.run("UPDATE blobs SET at = ? WHERE id = ?", at, id);
  const row = isSecret
    ? database.get("SELECT bytes FROM blobs WHERE id = ? AND fate = 'kept'", id)
    : undefined;
  const bytes = row === undefined ? null : bytesOrNull(row, "bytes");
  if (bytes === null) return;
  database.run("UPDATE blobs SET fate = 'sealed', bytes = ? WHERE id = ?", sealing.seal(bytes), id);
}

/** The smallest form for the contents of a file: the differences from an earlier pre-image of the file where that saves half, else the bytes. */
export function formOf(
  store: BlobStore,
  { id, bytes, path }: { readonly id: string; readonly bytes: Uint8Array; readonly path: string | null },
): BlobForm {
  const whole: BlobForm = { stored: bytes, base: null, copies: [] };
  const base = path === null || bytes.length < leastBytes ? null : findBase(store, path, id);
  const read = base === null ? null : readBlob(store, base);
  if (base === null || read === null || !read.ok) return whole;
  const { copies, literal } = makeDelta(read.bytes, bytes);
  const form: BlobForm = { stored: literal, base, copies };
  return sizeOfForm(form) * 2 < bytes.length ? form : whole;
}

/** Bytes that a form counts for. */
export function sizeOfForm({ stored, copies }: BlobForm): number {
  return stored.length + copies.length * copyBytes;
}

/** The bytes of a blob; without them its fate, `kept` and `sealed` if they cannot be read. Null for an unknown blob. */
export function readBlob(
  store: BlobStore,
  id: string,
):
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fate: BlobFate }
  | null {
  const row = store.database.get("SELECT fate, bytes FROM blobs WHERE id = ?", id);
  if (row === undefined) return null;
  const fate = oneOf(row, "fate", blobFates);
  const stored = openStored(store, row);
  if (stored === null) return { ok: false, fate };
  const link = store.database.get("SELECT base, copies FROM blob_deltas WHERE id = ?", id);
  if (link === undefined) return { ok: true, bytes: stored };
  const base = readBlob(store, text(link, "base"));
  if (base === null || !base.ok) return { ok: false, fate: base?.fate ?? fate };
  const bytes = applyDelta(base.bytes, { copies: json<Delta["copies"]>(link, "copies"), literal: stored });
  return bytes !== null && sha256(bytes) === id ? { ok: true, bytes } : { ok: false, fate };
}

/** Removes the bytes of blobs, as a part of the caller's transaction. The blobs that are stored as differences from them get their own bytes before. */
export function dropBlobs(store: BlobStore, ids: ReadonlySet<string>, fate: "evicted" | "forgotten"): void {
  for (const id of ids) {
    for (const row of store.database.all("SELECT id FROM blob_deltas WHERE base = ?", id)) {
      const dependent = text(row, "id");
      if (!ids.has(dependent)) storeWhole(store, dependent);
    }
  }
  for (const id of ids) {
    store.database.run("UPDATE blobs SET fate = ?, bytes = NULL WHERE id = ?", fate, id);
    store.database.run("DELETE FROM blob_deltas WHERE id = ?", id);
  }
}

function storeWhole({ database, sealing }: BlobStore, id: string): void {
  const read = readBlob({ database, sealing }, id);
  if (read === null || !read.ok) return;
  const isSealed = database.get("SELECT 1 FROM blobs WHERE id = ? AND fate = 'sealed'", id) !== undefined;
  const stored = isSealed ? sealing.seal(read.bytes) : read.bytes;
  database.run("UPDATE blobs SET size = ?, bytes = ? WHERE id = ?", read.bytes.length, stored, id);
  database.run("DELETE FROM blob_deltas WHERE id = ?", id);
}

function openStored({ sealing }: BlobStore, row: Row): Uint8Array | null {
  const bytes = bytesOrNull(row, "bytes");
  return bytes !== null && oneOf(row, "fate", blobFates) === "sealed" ? sealing.open(bytes) : bytes;
}

/** The newest pre-image of a file, or at the end of a long chain the whole blob at its start. */
function findBase({ database }: BlobStore, path: string, id: string): string | null {
  const newest = database.get(
    `SELECT pre_image AS id FROM changes JOIN blobs ON blobs.id = pre_image
     WHERE path = ? AND pre_image <> ? AND blobs.bytes IS NOT NULL ORDER BY changes.number DESC LIMIT 1`,
    path,
    id,
  );
  if (newest === undefined) return null;
  let base = text(newest, "id");
  let links = 0;
  for (let next = baseOf(database, base); next !== null; next = baseOf(database, next)) links += 1;
  if (links < longestChain) return base;
  for (let next = baseOf(database, base); next !== null; next = baseOf(database, next)) base = next;
  return base;
}

function baseOf(database: Database, id: string): string | null {
  const row = database.get("SELECT base FROM blob_deltas WHERE id = ?", id);
  return row === undefined ? null : text(row, "base");
}
