import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";
import type { MemoryObject } from "./memory-object.ts";

/** What to search for, and how many objects to return at most. With `publicOnly`, private objects are passed over. */
export type ObjectSearch = { readonly query: string; readonly limit: number; readonly publicOnly?: boolean };

/** Finds objects by words in their content, type and attributes: first the objects with all words, then those with any word, each by BM25. */
export function searchObjects(
  database: Database,
  { query, limit, publicOnly = false }: ObjectSearch,
): readonly MemoryObject[] {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const found = new Map<string, MemoryObject>();
  for (const operator of words.length > 1 ? [" AND ", " OR "] : [" AND "]) {
    if (words.length === 0 || found.size >= limit) break;
    const rows = database.all(
      `SELECT body FROM object_words
         JOIN object_versions ON object_versions.number = object_words.rowid
         JOIN objects ON objects.realm = object_versions.realm AND objects.bucket = object_versions.bucket AND objects.id = object_versions.id
           AND objects.hash = object_versions.hash
       WHERE object_words MATCH ? AND (? = 0 OR json_extract(body, '$.label.secrecy') = 'public') ORDER BY bm25(object_words, 2.0, 1.0), object_versions.number DESC LIMIT ?`,
      words.map((word) => `"${word}"`).join(operator),
      publicOnly ? 1 : 0,
      limit,
    );
    for (const row of rows) {
      const object = json<MemoryObject>(row, "body");
      found.set(object.hash, object);
    }
  }
  return [...found.values()].slice(0, Math.max(0, limit));
}
