import { removeIndexFileSync } from "../notes/index/open-index-file.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { createPrivateFile } from "../storage/private-file.ts";
import { bytesOrNull, integer, text } from "../storage/rows.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { cosine, makeVectorScan, type VectorScan } from "./vector-scan.ts";

/** A text, and the hash of its words, under which its vector is stored. */
export type PlacedText = { readonly id: string; readonly words: string };

/** A near text. The score is the cosine; `deviations` says how far it is above the mean of all texts, in standard deviations. */
export type VectorHit = PlacedText & { readonly score: number; readonly deviations: number };

/** The vector of some words; null for words that get none and are not requested again. */
export type WordsVector = { readonly words: string; readonly vector: Float32Array | null };

/** The vectors of one set of texts. They are disposable and can be embedded again. The store never receives a text. */
export type VectorStore = {
  /** Sets the current texts, as word hashes by ID. Vectors of words that no text has any more are deleted. */
  readonly setTexts: (texts: ReadonlyMap<string, string>) => Promise<void>;
  /** Adds texts to the current ones. */
  readonly addTexts: (texts: ReadonlyMap<string, string>) => Promise<void>;
  /** Texts whose words have no vector yet, one for each hash, sorted by hash, after the hash `after`. */
  readonly pending: (limit: number, after: string) => readonly PlacedText[];
  /** Removes texts that have changed since. */
  readonly removeTexts: (ids: readonly string[]) => void;
  /** Adds vectors. Vectors of another length than the stored ones replace all of them; true if that happened. */
  readonly put: (vectors: readonly WordsVector[]) => boolean;
  /** Best first. */
  readonly nearest: (query: Float32Array, limit: number) => Promise<readonly VectorHit[]>;
  readonly isEmpty: () => boolean;
};

/** The vectors of the notes and of what was said in sessions, in one file. */
export type VectorStores = { readonly notes: VectorStore; readonly said: VectorStore } & Disposable;

/** What a store is opened with. */
export type VectorStoreParts = {
  readonly file: string;
  /** The vectors of another model are deleted. */
  readonly model: string;
  readonly yieldToEventLoop: () => Promise<void> | null;
};

/** The tables of a set: vectors by words, and words by ID. Those of the notes are older and keep their names. */
type Tables = { readonly vectors: string; readonly places: string };
const noteTables: Tables = { vectors: "vectors", places: "places" };
const saidTables: Tables = { vectors: "said_vectors", places: "said_places" };
const sets = [noteTables, saidTables];

const version = 1;
const schema = [
  "CREATE TABLE IF NOT EXISTS model (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
  ...sets.map(
    ({ vectors, places }) => `
CREATE TABLE IF NOT EXISTS ${vectors} (words TEXT PRIMARY KEY, vector BLOB) STRICT;
CREATE TABLE IF NOT EXISTS ${places} (id TEXT PRIMARY KEY, words TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${places}_by_words ON ${places} (words)`,
  ),
].join(";");

/** How many times the limit is compared by full vectors. */
const compared = 4;

/** Opens the file of the vectors. A damaged file, or a file of another version, is replaced by an empty one. */
export function openVectorStores({ file, model, yieldToEventLoop }: VectorStoreParts): VectorStores {
  const database = openAnew(file);
  if (database.get("SELECT 1 FROM model WHERE name = ?", model) === undefined) {
    database.transaction("unforced", () => {
      database.script(`${sets.map(({ vectors }) => `DELETE FROM ${vectors}`).join(";")}; DELETE FROM model`);
      database.run("INSERT INTO model VALUES (?)", model);
    });
  }
  return {
    notes: openSet({ database, tables: noteTables, yieldToEventLoop }),
    said: openSet({ database, tables: saidTables, yieldToEventLoop }),
    [Symbol.dispose]: database.close,
  };
}

/** One set of texts in the file of the vectors. */
type OpenSet = Pick<VectorStoreParts, "yieldToEventLoop"> & {
  readonly database: Database;
  readonly tables: Tables;
};

function openSet(set: OpenSet): VectorStore {
  const { database, tables, yieldToEventLoop } = set;
  const { vectors: vectorTable, places } = tables;
  const cell: { scanned: Scanned | null } = { scanned: null };
  const scanned = async (dimensions: number): Promise<Scanned> => {
    if (cell.scanned?.dimensions !== dimensions) cell.scanned = null;
    cell.scanned ??= { dimensions, scan: makeVectorScan(dimensions, yieldToEventLoop), words: [], last: 0 };
    await catchUp(set, cell.scanned);
    return cell.scanned;
  };
  return {
    async setTexts(texts) {
      if ((await placeTexts(set, texts)) > 0) cell.scanned = null;
    },
    addTexts: (texts) => writePlaces(set, [...texts], []),
    pending: (limit, after) =>
      database
        .all(
          `SELECT MIN(id) AS id, words FROM ${places} AS place WHERE words > ? AND NOT EXISTS (SELECT 1 FROM ${vectorTable} AS made WHERE made.words = place.words) GROUP BY words ORDER BY words LIMIT ?`,
          after,
          limit,
        )
        .map((row) => ({ id: text(row, "id"), words: text(row, "words") })),
    removeTexts(ids) {
      database.transaction("unforced", () => {
        for (const id of ids) database.run(`DELETE FROM ${places} WHERE id = ?`, id);
      });
    },
    put(vectors) {
      const length = vectors.find(({ vector }) => vector !== null)?.vector?.byteLength ?? null;
      const before = length === null ? null : lengthIn(set);
      const others = before !== null && before !== length;
      if (others) cell.scanned = null;
      database.transaction("unforced", () => {
        if (others) database.run(`DELETE FROM ${vectorTable}`);
        for (const { words, vector } of vectors) {
          const bytes = vector === null ? null : bytesOf(vector);
          database.run(`INSERT OR IGNORE INTO ${vectorTable} (words, vector) VALUES (?, ?)`, words, bytes);
        }
      });
      return others;
    },
    async nearest(query, limit) {
      const { scan, words } = await scanned(query.length);
      const { hits, mean, deviation } = await scan.nearest(query, limit * compared);
      return hits
        .flatMap(({ row }) => textsOf(set, words[row] ?? "", query))
        .map((hit) => ({ ...hit, deviations: deviation === 0 ? 0 : (hit.score - mean) / deviation }))
        .toSorted((one, other) => other.score - one.score)
        .slice(0, limit);
    },
    isEmpty: () => lengthIn(set) === null,
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
async function catchUp({ database, tables, yieldToEventLoop }: OpenSet, scanned: Scanned): Promise<void> {
  for (;;) {
    const rows = database.all(
      `SELECT rowid, words, vector FROM ${tables.vectors} WHERE rowid > ? AND length(vector) = ? ORDER BY rowid LIMIT ?`,
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

function textsOf(
  { database, tables }: OpenSet,
  words: string,
  query: Float32Array,
): readonly Omit<VectorHit, "deviations">[] {
  const row = database.get(`SELECT vector FROM ${tables.vectors} WHERE words = ?`, words);
  const bytes = row === undefined ? null : bytesOrNull(row, "vector");
  if (bytes === null) return [];
  const score = cosine(vectorOf(bytes), query);
  return database
    .all(`SELECT id FROM ${tables.places} WHERE words = ? ORDER BY id`, words)
    .map((row) => ({ id: text(row, "id"), words, score }));
}

/** The length in bytes of the stored vectors, which all have the same; null if there are none. */
function lengthIn({ database, tables }: OpenSet): number | null {
  const row = database.get(
    `SELECT length(vector) AS size FROM ${tables.vectors} WHERE vector IS NOT NULL LIMIT 1`,
  );
  return row === undefined ? null : integer(row, "size");
}

/** Writes the differences, and returns how many vectors were deleted. */
async function placeTexts(set: OpenSet, texts: ReadonlyMap<string, string>): Promise<number> {
  const { database, tables } = set;
  const before = await readPlaces(set);
  const gone = [...before.keys()].filter((id) => !texts.has(id));
  const come = [...texts].filter(([id, words]) => before.get(id) !== words);
  await writePlaces(set, come, gone);
  const deleted = database.transaction("unforced", () =>
    database.run(`DELETE FROM ${tables.vectors} WHERE words NOT IN (SELECT words FROM ${tables.places})`),
  );
  // The ID of a note may be its title, and the write-ahead log keeps what rows held before.
  if (gone.length > 0) database.script("PRAGMA wal_checkpoint(TRUNCATE)");
  return deleted;
}

async function readPlaces({
  database,
  tables,
  yieldToEventLoop,
}: OpenSet): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  const select = `SELECT id, words FROM ${tables.places} WHERE id > ? ORDER BY id LIMIT ?`;
  for (let last = ""; ; ) {
    const rows = database.all(select, last, page);
    for (const row of rows) places.set(text(row, "id"), text(row, "words"));
    const end = rows.at(-1);
    if (end !== undefined) last = text(end, "id");
    if (rows.length < page) return places;
    await yieldToEventLoop();
  }
}

/** Writes texts that came and deletes those that are gone, a page at a time. */
async function writePlaces(
  { database, tables, yieldToEventLoop }: OpenSet,
  come: readonly (readonly [id: string, words: string])[],
  gone: readonly string[],
): Promise<void> {
  const { places } = tables;
  for (let from = 0; from < Math.max(gone.length, come.length); from += page) {
    database.transaction("unforced", () => {
      for (const id of gone.slice(from, from + page)) database.run(`DELETE FROM ${places} WHERE id = ?`, id);
      for (const [id, words] of come.slice(from, from + page)) {
        database.run(`INSERT OR REPLACE INTO ${places} VALUES (?, ?)`, id, words);
      }
    });
    await yieldToEventLoop();
  }
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
    removeIndexFileSync(file);
    return openOnce(file);
  }
}

function openOnce(file: string): Database {
  createPrivateFile(file);
  const database = openDatabase(file, "write");
  try {
    database.script("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON");
    const found = integer(database.get("PRAGMA user_version") ?? {}, "user_version");
    database.transaction("unforced", () => {
      const tables = ["model", ...sets.flatMap(({ vectors, places }) => [vectors, places])];
      if (found !== version) database.script(tables.map((name) => `DROP TABLE IF EXISTS ${name}`).join(";"));
      database.script(`${schema}; PRAGMA user_version = ${version}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
