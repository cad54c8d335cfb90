import type { Database } from "../storage/database.ts";
import { integer, json, textOrNull } from "../storage/rows.ts";
import { type Author, type MemoryObject, type Realm, realms } from "./memory-object.ts";
import { bucketOf, updateTrie } from "./merkle-trie.ts";

/** The version that an object gets: the hash of a stored version, or null to remove the object. */
export type Placement = { readonly realm: Realm; readonly id: string; readonly hash: string | null };

/** The current state of an object: its version (null if it was removed) and its last change. */
type Standing = { readonly hash: string | null; readonly last: number | null };

/** The hash of an object's version; null if there is no such object. */
export function currentHash(database: Database, realm: Realm, id: string): string | null {
  return standing(database, realm, id).hash;
}

/** The last change of an object, which names the change before it; null if there never was one. */
export function lastChange(database: Database, realm: Realm, id: string): number | null {
  return standing(database, realm, id).last;
}

/** A version of an object by its hash. */
export function versionByHash(database: Database, hash: string): MemoryObject | null {
  const row = database.get("SELECT body FROM object_versions WHERE hash = ?", hash);
  return row === undefined ? null : json<MemoryObject>(row, "body");
}

/** Whether a version is stored. The versions of a forgotten object are not. */
export function hasVersion(database: Database, hash: string): boolean {
  return database.get("SELECT 1 FROM object_versions WHERE hash = ?", hash) !== undefined;
}

/** Inserts a version and its words for the search, unless it is stored already. Versions never change. */
export function insertVersion(database: Database, object: MemoryObject): void {
  const added = database.run(
    "INSERT OR IGNORE INTO object_versions (hash, realm, bucket, id, parent, body) VALUES (?, ?, ?, ?, ?, ?)",
    object.hash,
    object.realm,
    bucketOf(object.id),
    object.id,
    object.parent,
    JSON.stringify(object),
  );
  if (added === 0) return;
  const row = database.get("SELECT number FROM object_versions WHERE hash = ?", object.hash);
  if (row === undefined) throw new Error(`the version ${object.hash} was not kept`);
  database.run(
    "INSERT INTO object_words (rowid, content, attributes) VALUES (?, ?, ?)",
    integer(row, "number"),
    object.content,
    words(object),
  );
}

/** Gives objects these versions, adds the changes to the history and updates the root hashes; returns how many objects changed. */
export function placeObjects(
  database: Database,
  placements: readonly Placement[],
  author: Author,
  at: number,
): number {
  const dirty = new Map<Realm, Set<string>>(realms.map((realm) => [realm, new Set()]));
  const first = nextSequence(database);
  let sequence = first;
  for (const { realm, id, hash } of placements) {
    const { hash: before, last } = standing(database, realm, id);
    if (before === hash) continue;
    const bucket = bucketOf(id);
    database.run(
      "INSERT OR REPLACE INTO objects (realm, bucket, id, hash, last) VALUES (?, ?, ?, ?, ?)",
      realm,
      bucket,
      id,
      hash,
      sequence,
    );
    database.run(
      "INSERT INTO object_changes (sequence, realm, id, before, after, previous, turn, session, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      sequence,
      realm,
      id,
      before,
      hash,
      last,
      author.turn,
      author.session,
      at,
    );
    dirty.get(realm)?.add(bucket);
    sequence += 1;
  }
  for (const [realm, buckets] of dirty) if (buckets.size > 0) updateTrie(database, realm, buckets);
  return sequence - first;
}

function standing(database: Database, realm: Realm, id: string): Standing {
  const row = database.get(
    "SELECT hash, last FROM objects WHERE realm = ? AND bucket = ? AND id = ?",
    realm,
    bucketOf(id),
    id,
  );
  return row === undefined
    ? { hash: null, last: null }
    : { hash: textOrNull(row, "hash"), last: integer(row, "last") };
}

function nextSequence(database: Database): number {
  const row = database.get("SELECT coalesce(max(sequence), 0) + 1 AS next FROM object_changes");
  if (row === undefined) throw new Error("the history of memory gave no number");
  return integer(row, "next");
}

function words(object: MemoryObject): string {
  return `${object.type} ${JSON.stringify(object.attributes)}`;
}
