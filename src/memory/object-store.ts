import type { Database } from "./database.ts";
import { type Author, type MemoryObject, type Realm, realms } from "./memory-object.ts";
import { bucketOf, updateTrie } from "./merkle-trie.ts";
import { integer, json, text } from "./rows.ts";

/** Which version an object is to have: a hash that is kept, or null for none. */
export type Placement = { readonly realm: Realm; readonly id: string; readonly hash: string | null };

/** The hash of the version that an object has; null where there is no such object. */
export function currentHash(database: Database, realm: Realm, id: string): string | null {
  const row = database.get("SELECT hash FROM objects WHERE realm = ? AND id = ?", realm, id);
  return row === undefined ? null : text(row, "hash");
}

/** A version of an object by its hash. */
export function versionByHash(database: Database, hash: string): MemoryObject | null {
  const row = database.get("SELECT body FROM object_versions WHERE hash = ?", hash);
  return row === undefined ? null : json<MemoryObject>(row, "body");
}

/** Keeps a version and its words for the search, once. Versions never change. */
export function keepVersion(database: Database, object: MemoryObject): void {
  const added = database.run(
    "INSERT OR IGNORE INTO object_versions (hash, realm, id, parent, body) VALUES (?, ?, ?, ?, ?)",
    object.hash,
    object.realm,
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

/** Gives objects the versions named, writes what changed to the history, and brings the roots up to date; returns how many changed. */
export function place(
  database: Database,
  placements: readonly Placement[],
  author: Author,
  at: number,
): number {
  const dirty = new Map<Realm, Set<string>>(realms.map((realm) => [realm, new Set()]));
  let changed = 0;
  for (const { realm, id, hash } of placements) {
    const before = currentHash(database, realm, id);
    if (before === hash) continue;
    const bucket = bucketOf(id);
    if (hash === null) database.run("DELETE FROM objects WHERE realm = ? AND id = ?", realm, id);
    else {
      database.run(
        "INSERT INTO objects (realm, id, hash, bucket) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (realm, id) DO UPDATE SET hash = ?3",
        realm,
        id,
        hash,
        bucket,
      );
    }
    database.run(
      "INSERT INTO object_changes (realm, id, before, after, turn, session, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      realm,
      id,
      before,
      hash,
      author.turn,
      author.session,
      at,
    );
    dirty.get(realm)?.add(bucket);
    changed += 1;
  }
  for (const [realm, buckets] of dirty) if (buckets.size > 0) updateTrie(database, realm, buckets);
  return changed;
}

function words(object: MemoryObject): string {
  return `${object.type} ${JSON.stringify(object.attributes)}`;
}
