import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, integerOrNull, json, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import {
  type Author,
  type MemoryObject,
  type ObjectDraft,
  type Realm,
  realms,
  redactObject,
  withHash,
} from "./memory-object.ts";
import { rootHash, trieDifferences } from "./merkle-trie.ts";
import {
  currentHash,
  hasVersion,
  insertVersion,
  lastChange,
  type Placement,
  placeObjects,
  versionByHash,
} from "./object-store.ts";
import {
  changesBySession,
  insertSnapshot,
  listSnapshots,
  type RollbackResult,
  rollBack,
  type SessionRollback,
  type Snapshot,
} from "./snapshots.ts";

/** An entry in the history of an object. */
export type ObjectChange = {
  readonly sequence: number;
  readonly realm: Realm;
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly turn: string | null;
  readonly session: string | null;
  readonly at: number;
};

/** The result of reverting a turn. A conflict is an object that changed again since then, or an object with a forgotten earlier text; it is left as it is. */
export type RevertResult = {
  readonly reverted: readonly ObjectChange[];
  readonly conflicts: readonly ObjectChange[];
};

/** Memory objects, their versions, roots and snapshots. */
export type MemoryObjects = {
  readonly put: (draft: ObjectDraft, author: Author) => Promise<MemoryObject>;
  /** Puts many objects in one transaction. */
  readonly putAll: (drafts: readonly ObjectDraft[], author: Author) => Promise<readonly MemoryObject[]>;
  readonly get: (realm: Realm, id: string) => Promise<MemoryObject | null>;
  /** Returns false if there was no such object. */
  readonly remove: (realm: Realm, id: string, author: Author) => Promise<boolean>;
  /** The objects under a parent (null: at the top), by id. */
  readonly children: (realm: Realm, parent: string | null) => Promise<readonly MemoryObject[]>;
  /** Gives the best matches first (BM25). Any text is a query; a text without words finds nothing. */
  readonly search: (
    query: string,
    limit: number,
    options?: { readonly publicOnly?: boolean },
  ) => Promise<readonly MemoryObject[]>;
  readonly count: (realm: Realm) => Promise<number>;
  /** The Merkle root over all objects of a realm, in hex. */
  readonly root: (realm: Realm) => Promise<string>;
  /** Computes every hash again and describes each difference; empty if there is none. */
  readonly verify: () => Promise<readonly string[]>;
  /** All changes of an object, oldest first. */
  readonly history: (realm: Realm, id: string) => Promise<readonly ObjectChange[]>;
  readonly version: (hash: string) => Promise<MemoryObject | null>;
  readonly snapshot: (note: string) => Promise<Snapshot>;
  /** Newest first. */
  readonly snapshots: () => Promise<readonly Snapshot[]>;
  /** The changes that a rollback would undo, by session; null if there is no such snapshot. */
  readonly previewRollback: (snapshot: number) => Promise<readonly SessionRollback[] | null>;
  readonly rollback: (snapshot: number, author: Author) => Promise<RollbackResult>;
  /** Reverts the changes of a turn, object by object, where the object still is as the turn left it. An object that already is as before the turn is neither reverted nor a conflict. */
  readonly revertTurn: (turn: string, author: Author) => Promise<RevertResult>;
};

/** The memory objects of a database. */
export function openMemoryObjects(database: Database, clock: Clock): MemoryObjects {
  const putAll = (drafts: readonly ObjectDraft[], author: Author): Promise<readonly MemoryObject[]> =>
    database.forced(() => {
      const objects = drafts.map(redactObject).map(withHash);
      for (const object of objects) insertVersion(database, object);
      placeObjects(database, objects, author, clock());
      return objects;
    });
  return {
    put: async (draft, author) => {
      const [object] = await putAll([draft], author);
      if (object === undefined) throw new Error(`the object ${draft.id} was not kept`);
      return object;
    },
    putAll: async (drafts, author) => putAll(drafts, author),
    get: async (realm, id) => {
      const hash = currentHash(database, realm, id);
      return hash === null ? null : versionByHash(database, hash);
    },
    remove: async (realm, id, author) =>
      database.forced(() => placeObjects(database, [{ realm, id, hash: null }], author, clock()) > 0),
    children: async (realm, parent) =>
      database
        .all(
          `SELECT body FROM objects JOIN object_versions ON object_versions.realm = objects.realm AND object_versions.bucket = objects.bucket AND object_versions.id = objects.id AND object_versions.hash = objects.hash
           WHERE object_versions.realm = ? AND object_versions.parent IS ? ORDER BY objects.id`,
          realm,
          parent,
        )
        .map((row) => json<MemoryObject>(row, "body")),
    search: async (query, limit, options) => searchObjects(database, { query, limit, ...options }),
    count: async (realm) => {
      const row = database.get("SELECT count(hash) AS count FROM objects WHERE realm = ?", realm);
      return row === undefined ? 0 : integer(row, "count");
    },
    root: async (realm) => rootHash(database, realm),
    verify: async () => realms.flatMap((realm) => differences(database, realm)),
    history: async (realm, id) => history(database, lastChange(database, realm, id)),
    version: async (hash) => versionByHash(database, hash),
    snapshot: async (note) => insertSnapshot(database, note, clock),
    snapshots: async () => listSnapshots(database),
    previewRollback: async (snapshot) => changesBySession(database, snapshot),
    rollback: async (snapshot, author) => rollBack(database, snapshot, author, clock),
    revertTurn: async (turn, author) => revertTurn(database, turn, author, clock),
  };
}

/** Follows the changes of an object back from its last one: each names the change before it. */
function history(database: Database, last: number | null): readonly ObjectChange[] {
  const newestFirst: ObjectChange[] = [];
  for (let at = last; at !== null; ) {
    const row = database.get("SELECT * FROM object_changes WHERE sequence = ?", at);
    if (row === undefined) throw new Error(`the history of memory lacks its change ${at}`);
    newestFirst.push(changeOf(row));
    at = integerOrNull(row, "previous");
  }
  return newestFirst.reverse();
}

function differences(database: Database, realm: Realm): readonly string[] {
  const wrong = database
    .all(
      "SELECT objects.id, objects.hash, body FROM objects LEFT JOIN object_versions USING (hash) WHERE objects.realm = ? AND hash IS NOT NULL",
      realm,
    )
    .filter((row) => textOrNull(row, "body") === null || !isIntact(row))
    .map((row) => `object ${realm}/${text(row, "id")} does not have the content of its hash`);
  return [...wrong, ...trieDifferences(database, realm)];
}

function isIntact(row: Row): boolean {
  return withHash(json<MemoryObject>(row, "body")).hash === text(row, "hash");
}

/** Compares the net change of each object with what the object is now, and reverts it where nothing else changed it. */
function revertTurn(database: Database, turn: string, author: Author, clock: Clock): Promise<RevertResult> {
  return database.forced(() => {
    const net = new Map<string, ObjectChange>();
    for (const row of database.all("SELECT * FROM object_changes WHERE turn = ? ORDER BY sequence", turn)) {
      const change = changeOf(row);
      const key = `${change.realm}/${change.id}`;
      const earlier = net.get(key);
      net.set(key, earlier === undefined ? change : { ...change, before: earlier.before });
    }
    const changes = [...net.values()].filter(
      ({ realm, id, before, after }) => before !== after && currentHash(database, realm, id) !== before,
    );
    const stands = ({ realm, id, before, after }: ObjectChange): boolean =>
      currentHash(database, realm, id) === after && (before === null || hasVersion(database, before));
    const reverted = changes.filter(stands);
    const conflicts = changes.filter((change) => !stands(change));
    const back: Placement[] = reverted.map(({ realm, id, before }) => ({ realm, id, hash: before }));
    placeObjects(database, back, author, clock());
    return { reverted, conflicts };
  });
}

function changeOf(row: Row): ObjectChange {
  return {
    sequence: integer(row, "sequence"),
    realm: oneOf(row, "realm", realms),
    id: text(row, "id"),
    before: textOrNull(row, "before"),
    after: textOrNull(row, "after"),
    turn: textOrNull(row, "turn"),
    session: textOrNull(row, "session"),
    at: integer(row, "at"),
  };
}

/**
 * What to search for, and how many objects to return at most. With `publicOnly`, private objects are passed
 * over.
 */
type ObjectSearch = { readonly query: string; readonly limit: number; readonly publicOnly?: boolean };

/**
 * Finds objects by words in their content, type and attributes: first the objects with all words, then those
 * with any word, each by BM25.
 */
function searchObjects(
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
