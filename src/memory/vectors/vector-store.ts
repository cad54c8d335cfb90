import { removeIndexFile } from "../notes/index/open-index-file.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { createPrivateFile } from "../storage/private-file.ts";
import { bytesOrNull, integer, text } from "../storage/rows.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { cosine, makeVectorScan, type VectorScan } from "./vector-scan.ts";

/** A node, and the hash of its words, under which its vector is stored. */
export type EmbeddableNode = { readonly id: string; readonly words: string };

/** A near node. The score is the cosine; `deviations` says how far it is above the mean of all nodes, in standard deviations. */
export type VectorHit = EmbeddableNode & { readonly score: number; readonly deviations: number };

/** The vector of some words; null for words that get none and are not requested again. */
export type WordsVector = { readonly words: string; readonly vector: Float32Array | null };

/** The vectors of the notes. They are disposable and can be embedded again. The store never receives secret text. */
export type VectorStore = {
  /** Sets the current nodes, as word hashes by ID. Vectors of words that no node has any more are deleted. */
  readonly setNodes: (nodes: ReadonlyMap<string, string>) => Promise<void>;
  /** Nodes whose words have no vector yet, one for each hash, sorted by hash, after the hash `after`. */
  readonly pending: (limit: number, after: string) => readonly EmbeddableNode[];
  /** Removes nodes that have changed since `setNodes`. */
  readonly removeNodes: (ids: readonly string[]) => void;
  /** Adds vectors. Vectors of another length than the stored ones replace all of them; true if that happened. */
  readonly put: (vectors: readonly WordsVector[]) => boolean;
  /** Best first. */
  readonly nearest: (query: Float32Array, limit: number) => Promise<readonly VectorHit[]>;
  readonly isEmpty: () => boolean;
  readonly close: () => void;
};

/** What a store is opened with. */
export type VectorStoreParts = {
  readonly file: string;
  /** The vectors of another model are deleted. */
  readonly model: string;
  readonly yieldToEventLoop: () => Promise<void> | null;
};

const version = 1;
const schema = `
CREATE TABLE model (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE vectors (words TEXT PRIMARY KEY, vector BLOB) STRICT;
CREATE TABLE places (id TEXT PRIMARY KEY, words TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX places_by_words ON places (words);
`;

/** How many times the limit is compared by full vectors. */
const compared = 4;

/** Opens the file of the vectors. A damaged file, or a file of another version, is replaced by an empty one. */
export function openVectorStore({ file, model, yieldToEventLoop }: VectorStoreParts): VectorStore {
  const database = openAnew(file);
  if (database.get("SELECT 1 FROM model WHERE name = ?", model) === undefined) {
    database.transaction("unforced", () => {
      database.script("DELETE FROM vectors; DELETE FROM model");
      database.run("INSERT INTO model VALUES (?)", model);
    });
  }
  const cell: { scanned: Scanned | null } = { scanned: null };
  const scanned = async (dimensions: number): Promise<Scanned> => {
    if (cell.scanned?.dimensions !== dimensions) cell.scanned = null;
    cell.scanned ??= { dimensions, scan: makeVectorScan(dimensions, yieldToEventLoop), words: [], last: 0 };
    await catchUp(database, cell.scanned, yieldToEventLoop);
    return cell.scanned;
  };
  return {
    async setNodes(nodes) {
      if ((await placeNodes(database, nodes, yieldToEventLoop)) > 0) cell.scanned = null;
    },
    pending: (limit, after) =>
      database
        .all(
          "SELECT MIN(id) AS id, words FROM places WHERE words > ? AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.words = places.words) GROUP BY words ORDER BY words LIMIT ?",
          after,
          limit,
        )
        .map((row) => ({ id: text(row, "id"), words: text(row, "words") })),
    removeNodes(ids) {
      database.transaction("unforced", () => {
        for (const id of ids) database.run("DELETE FROM places WHERE id = ?", id);
      });
    },
    put(vectors) {
      const length = vectors.find(({ vector }) => vector !== null)?.vector?.byteLength ?? null;
      const before = length === null ? null : lengthIn(database);
      const others = before !== null && before !== length;
      if (others) cell.scanned = null;
      database.transaction("unforced", () => {
        if (others) database.run("DELETE FROM vectors");
        for (const { words, vector } of vectors) {
          const bytes = vector === null ? null : bytesOf(vector);
          database.run("INSERT OR IGNORE INTO vectors (words, vector) VALUES (?, ?)", words, bytes);
        }
      });
      return others;
    },
    async nearest(query, limit) {
      const { scan, words } = await scanned(query.length);
      const { hits, mean, deviation } = await scan.nearest(query, limit * compared);
      return hits
        .flatMap(({ row }) => nodesOf(database, words[row] ?? "", query))
        .map((hit) => ({ ...hit, deviations: deviation === 0 ? 0 : (hit.score - mean) / deviation }))
        .toSorted((one, other) => other.score - one.score)
        .slice(0, limit);
    },
    isEmpty: () => lengthIn(database) === null,
    close: database.close,
  };
}

type Scanned = {
  readonly dimensions: number;
  readonly scan: VectorScan;
  readonly words: string[];
  /** The row of the last vector that was loaded. */
  last: number;
};

const page = 2000;

/** Loads the vectors that were stored since the last call. */
async function catchUp(
  database: Database,
  scanned: Scanned,
  yieldToEventLoop: () => Promise<void> | null,
): Promise<void> {
  for (;;) {
    const rows = database.all(
      "SELECT rowid, words, vector FROM vectors WHERE rowid > ? AND length(vector) = ? ORDER BY rowid LIMIT ?",
      scanned.last,
      scanned.dimensions * Float32Array.BYTES_PER_ELEMENT,
      page,
    );
    for (const row of rows) {
      const bytes = bytesOrNull(row, "vector");
      if (bytes === null) continue;
      scanned.scan.add(vectorOf(bytes));
      scanned.words.push(text(row, "words"));
      scanned.last = integer(row, "rowid");
    }
    if (rows.length < page) return;
    await yieldToEventLoop();
  }
}

function nodesOf(
  database: Database,
  words: string,
  query: Float32Array,
): readonly Omit<VectorHit, "deviations">[] {
  const bytes = bytesOrNull(
    database.get("SELECT vector FROM vectors WHERE words = ?", words) ?? { vector: null },
    "vector",
  );
  if (bytes === null) return [];
  const score = cosine(vectorOf(bytes), query);
  return database
    .all("SELECT id FROM places WHERE words = ? ORDER BY id", words)
    .map((row) => ({ id: text(row, "id"), words, score }));
}

/** The length in bytes of the stored vectors, which all have the same; null if there are none. */
function lengthIn(database: Database): number | null {
  const row = database.get("SELECT length(vector) AS size FROM vectors WHERE vector IS NOT NULL LIMIT 1");
  return row === undefined ? null : integer(row, "size");
}

/** Writes the differences, a page at a time, and returns how many vectors were deleted. */
async function placeNodes(
  database: Database,
  nodes: ReadonlyMap<string, string>,
  yieldToEventLoop: () => Promise<void> | null,
): Promise<number> {
  const rows = database.all("SELECT id, words FROM places");
  const before = new Map(rows.map((row) => [text(row, "id"), text(row, "words")] as const));
  const gone = [...before.keys()].filter((id) => !nodes.has(id));
  const come = [...nodes].filter(([id, words]) => before.get(id) !== words);
  for (let from = 0; from < Math.max(gone.length, come.length); from += page) {
    database.transaction("unforced", () => {
      for (const id of gone.slice(from, from + page)) database.run("DELETE FROM places WHERE id = ?", id);
      for (const [id, words] of come.slice(from, from + page)) {
        database.run("INSERT OR REPLACE INTO places VALUES (?, ?)", id, words);
      }
    });
    await yieldToEventLoop();
  }
  return database.transaction("unforced", () =>
    database.run("DELETE FROM vectors WHERE words NOT IN (SELECT words FROM places)"),
  );
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Copies the bytes, because those of a row may be unaligned. */
function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

function openAnew(file: string): Database {
  try {
    return openOnce(file);
  } catch (error) {
    if (!(error instanceof StateProblem) || error.code !== "damaged-database") throw error;
    removeIndexFile(file);
    return openOnce(file);
  }
}

function openOnce(file: string): Database {
  createPrivateFile(file);
  const database = openDatabase(file, "write");
  try {
    database.script("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON");
    const found = integer(database.get("PRAGMA user_version") ?? {}, "user_version");
    if (found === version) return database;
    database.transaction("unforced", () => {
      database.script(
        "DROP TABLE IF EXISTS model; DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS places",
      );
      database.script(`${schema}; PRAGMA user_version = ${version}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
