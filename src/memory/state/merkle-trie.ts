import { sha256 } from "../../machine/digest.ts";
import type { Database } from "../storage/database.ts";
import { bytesOrNull, type Row, text } from "../storage/rows.ts";
import type { Realm } from "./memory-object.ts";

/** Hex digits of SHA-256(id) that choose an object's bucket: four levels of sixteen children, 65,536 buckets. */
const depth = 4;
const hashBytes = 32;
const emptyHash = Buffer.alloc(hashBytes);

/**
 * The root hash of nothing.
 * @internal
 */
export const emptyRoot: string = emptyHash.toString("hex");

/** The bucket that an object's id falls into. */
export function bucketOf(id: string): string {
  return sha256(id).slice(0, depth);
}

/**
 * Brings the nodes above the buckets up to date after their objects changed: each node once, level by level. One change costs its bucket
 * (1.5 objects of 100,000) and four nodes. The same objects give the same root, whatever the order in which they came.
 */
export function updateTrie(database: Database, realm: Realm, buckets: Iterable<string>): void {
  let dirty = new Map([...buckets].map((bucket) => [bucket, bucketHash(database, realm, bucket)] as const));
  for (let level = depth; level > 0; level -= 1) {
    const parents = new Map<string, Buffer>();
    for (const [prefix, hash] of dirty) {
      const parent = prefix.slice(0, -1);
      const children = parents.get(parent) ?? childrenOf(database, realm, parent);
      hash.copy(children, Number.parseInt(prefix.slice(-1), 16) * hashBytes);
      parents.set(parent, children);
    }
    dirty = new Map();
    for (const [prefix, children] of parents) {
      database.run(
        "INSERT OR REPLACE INTO trie (realm, prefix, children) VALUES (?, ?, ?)",
        realm,
        prefix,
        children,
      );
      dirty.set(prefix, nodeHash(children));
    }
  }
}

/** The root hash of a realm, in hex. */
export function rootHash(database: Database, realm: Realm): string {
  return nodeHash(childrenOf(database, realm, "")).toString("hex");
}

/** Computes the hash tree again from the objects and describes each stored node that differs. Writes nothing. */
export function trieDifferences(database: Database, realm: Realm): readonly string[] {
  const differences: string[] = [];
  let level = new Map<string, Buffer>();
  for (const row of database.all("SELECT DISTINCT bucket FROM objects WHERE realm = ?", realm)) {
    const bucket = text(row, "bucket");
    level.set(bucket, bucketHash(database, realm, bucket));
  }
  const kept = new Map(
    database
      .all("SELECT prefix, children FROM trie WHERE realm = ?", realm)
      .map((row) => [text(row, "prefix"), nodeOf(row)] as const),
  );
  for (let length = depth; length > 0; length -= 1) {
    const parents = new Map<string, Buffer>();
    for (const prefix of kept.keys()) {
      if (prefix.length === length - 1) parents.set(prefix, Buffer.alloc(16 * hashBytes));
    }
    for (const [prefix, hash] of level) {
      const parent = prefix.slice(0, -1);
      const children = parents.get(parent) ?? Buffer.alloc(16 * hashBytes);
      hash.copy(children, Number.parseInt(prefix.slice(-1), 16) * hashBytes);
      parents.set(parent, children);
    }
    level = new Map();
    for (const [prefix, children] of parents) {
      const stored = kept.get(prefix) ?? Buffer.alloc(16 * hashBytes);
      if (!stored.equals(children)) differences.push(`node ${realm}/${prefix || "root"} has another hash`);
      level.set(prefix, nodeHash(children));
    }
  }
  return differences;
}

function childrenOf(database: Database, realm: Realm, prefix: string): Buffer {
  const row = database.get("SELECT children FROM trie WHERE realm = ? AND prefix = ?", realm, prefix);
  return row === undefined ? Buffer.alloc(16 * hashBytes) : nodeOf(row);
}

function nodeOf(row: Row): Buffer {
  const children = bytesOrNull(row, "children");
  if (children?.byteLength === 16 * hashBytes) return Buffer.from(children);
  throw new TypeError("a node of the hash tree has the wrong size");
}

function bucketHash(database: Database, realm: Realm, bucket: string): Buffer {
  const rows = database.all(
    "SELECT id, hash FROM objects WHERE realm = ? AND bucket = ? AND hash IS NOT NULL ORDER BY id",
    realm,
    bucket,
  );
  if (rows.length === 0) return emptyHash;
  return digest(JSON.stringify(rows.map((row) => [text(row, "id"), text(row, "hash")])));
}

function nodeHash(children: Buffer): Buffer {
  return children.every((byte) => byte === 0) ? emptyHash : digest(children);
}

function digest(content: string | Uint8Array): Buffer {
  return Buffer.from(sha256(content), "hex");
}
