import type { Database } from "../../storage/database.ts";
import { integer, json, type Row, text } from "../../storage/rows.ts";
import { merkleRoot } from "../nodes/note-hashes.ts";
import type { FoundStamp, NoteFile, NoteNode, NoteStamp } from "../nodes/note-node.ts";
import { type FileRows, toFileRows } from "./file-rows.ts";
import { makeSchema } from "./index-schema.ts";
import { decodeOffsets, fileFromRow, nodesFromRows, offsetBytesPerNode } from "./node-rows.ts";
import type { NodeChanges, NoteIndex } from "./note-index.ts";
import { openNoteWords } from "./note-words.ts";
import { type IndexWriter, removeFileRows, writeFileRows } from "./write-file-rows.ts";

/** An index that takes files as its rows have them, too. */
export type RowIndex = NoteIndex & {
  readonly replaceRows: (files: readonly FileRows[]) => Promise<NodeChanges>;
};

/** The index in a database that has its schema. Its work is done in one go, so callers give it a bounded amount at a time. */
export function makeSqliteNoteIndex(database: Database): RowIndex {
  const words = openNoteWords(database);
  const change = (work: (to: IndexWriter) => void): NodeChanges => {
    const to: IndexWriter = {
      database,
      words,
      added: new Set(),
      changed: new Set(),
      removed: new Set(),
      next: 0,
    };
    database.transaction("unforced", () => {
      const next = database.get("SELECT coalesce(max(number), 0) + 1 AS next FROM nodes");
      to.next = integer(next ?? {}, "next");
      work(to);
      database.run("DELETE FROM meta WHERE key = 'root'");
    });
    return settled(to);
  };
  const take = (files: readonly FileRows[]): NodeChanges =>
    change((to) => {
      for (const file of files) writeFileRows(to, file);
    });
  const fileRow = (path: string): Row | undefined => database.get("SELECT * FROM files WHERE path = ?", path);
  return {
    files: async () => allFiles(database),
    async file(path) {
      const row = fileRow(path);
      return row === undefined ? null : fileFromRow(row);
    },
    replace: async (files) => take(files.map(toFileRows)),
    replaceRows: async (files) => take(files),
    touch: async (files) =>
      database.transaction("unforced", () => {
        for (const file of files) touch(database, file);
      }),
    remove: async (paths) =>
      change((to) => {
        for (const path of paths) removeFileRows(to, path);
      }),
    clear: async () => makeSchema(database),
    async node(id) {
      const row = database.get("SELECT * FROM nodes WHERE id = ?", id);
      return row === undefined ? null : (nodesFromRows(database, [row])[0] ?? null);
    },
    claimants: async (id) =>
      nodesFromRows(
        database,
        database.all(
          "SELECT * FROM nodes WHERE id = ?1 AND key = ?1 UNION ALL SELECT * FROM nodes WHERE key = ?1 AND id <> key",
          id,
        ),
      ),
    nodesInFile: async (path) => nodesOfFile(database, fileRow(path)),
    children: async (id) => (id === null ? fileNodes(database) : childrenOf(database, id)),
    all: () => allNodes(database),
    countInFiles: async (paths) => {
      const given = JSON.stringify(paths);
      const row = database.get(
        "SELECT coalesce(sum(length(places)), 0) AS bytes FROM files WHERE path IN (SELECT value FROM json_each(?))",
        given,
      );
      return integer(row ?? {}, "bytes") / offsetBytesPerNode;
    },
    count: async () => integer(database.get("SELECT count(*) AS count FROM nodes") ?? {}, "count"),
    search: async (query, limit) =>
      words.search(query, limit).flatMap(({ number, score }) => {
        const row = database.get("SELECT id FROM nodes WHERE number = ?", number);
        return row === undefined ? [] : [{ id: text(row, "id"), score }];
      }),
    stampsFor: async (from, to) => stampsFor(database, from, to),
    linksTo: async (type, target) =>
      database
        .all(
          "SELECT id, begin FROM links JOIN nodes ON number = node WHERE type = ? AND target = ? ORDER BY id, begin",
          type,
          target,
        )
        .map((row) => ({ node: text(row, "id"), type, target, begin: integer(row, "begin") })),
    openNodesWithTag: async (tag) =>
      inTextOrder(
        nodesFromRows(
          database,
          database.all("SELECT nodes.* FROM open_tags JOIN nodes ON number = node WHERE tag = ?", tag),
        ),
      ),
    root: async () => rootHash(database),
    close: async () => database.close(),
  };
}

/** A node that went and came within one change, as when it was moved from file to file, was changed. */
function settled({ added, changed, removed }: IndexWriter): NodeChanges {
  const moved = [...removed].filter((id) => added.has(id));
  for (const id of moved) {
    removed.delete(id);
    added.delete(id);
    changed.add(id);
  }
  return {
    added: [...added],
    changed: [...changed].filter((id) => !added.has(id) && !removed.has(id)),
    removed: [...removed],
  };
}

function allFiles(database: Database): readonly NoteFile[] {
  return database
    .all("SELECT number, path, size, modified, changed, inode, digest, hash, problem FROM files")
    .map(fileFromRow)
    .sort((one, other) => compare(one.path, other.path));
}

function touch(database: Database, { path, size, modified, changed, inode }: NoteFile): void {
  database.run(
    "UPDATE files SET size = ?, modified = ?, changed = ?, inode = ? WHERE path = ?",
    size,
    modified,
    changed,
    inode,
    path,
  );
}

function nodesOfFile(database: Database, file: Row | undefined): readonly NoteNode[] {
  if (file === undefined) return [];
  const rows = database.all("SELECT * FROM nodes WHERE file = ?", integer(file, "number"));
  return nodesFromRows(database, rows).toSorted(byPlace);
}

function fileNodes(database: Database): readonly NoteNode[] {
  return inTextOrder(nodesFromRows(database, database.all("SELECT * FROM nodes WHERE parent IS NULL")));
}

function childrenOf(database: Database, id: string): readonly NoteNode[] {
  const rows = database.all(
    "SELECT child.* FROM nodes AS above JOIN nodes AS child ON child.parent = above.number WHERE above.id = ?",
    id,
  );
  return nodesFromRows(database, rows).toSorted(byPlace);
}

async function* allNodes(database: Database): AsyncIterable<NoteNode> {
  for (const { path } of allFiles(database)) {
    yield* nodesOfFile(database, database.get("SELECT * FROM files WHERE path = ?", path));
  }
}

function stampsFor(database: Database, from: string, to: string): readonly FoundStamp[] {
  const rows = database.all(
    `SELECT stamps.body AS stamp, nodes.number, nodes.id, nodes.file, json_extract(nodes.body, '$.label') AS label, json_extract(nodes.body, '$.words') AS words,
       json_extract(nodes.body, '$.groups') AS groups
     FROM stamps JOIN nodes ON nodes.number = stamps.node WHERE last >= ? AND first <= ? ORDER BY stamps.rowid`,
    from,
    to,
  );
  const files = new Map<
    number,
    { readonly path: string; readonly places: ReturnType<typeof decodeOffsets> }
  >();
  const fileNumbered = (number: number) => {
    const known = files.get(number);
    if (known !== undefined) return known;
    const row = database.get("SELECT path, places FROM files WHERE number = ?", number) ?? {};
    const read = { path: text(row, "path"), places: decodeOffsets(row) };
    files.set(number, read);
    return read;
  };
  return rows
    .map((row): FoundStamp => {
      const { path, places } = fileNumbered(integer(row, "file"));
      const begin = places.get(integer(row, "number"))?.begin ?? 0;
      const timestamp = json<NoteStamp["stamped"]>(row, "stamp");
      return {
        node: text(row, "id"),
        file: path,
        begin,
        timestamp,
        label: json(row, "label"),
        words: text(row, "words"),
        ...(row["groups"] === null ? {} : { groups: json<readonly string[]>(row, "groups") }),
      };
    })
    .sort((one, other) => compare(one.file, other.file) || one.begin - other.begin);
}

function rootHash(database: Database): string {
  const kept = database.get("SELECT value FROM meta WHERE key = 'root'");
  if (kept !== undefined) return text(kept, "value");
  return database.transaction("unforced", () => {
    const root = merkleRoot(allFiles(database));
    database.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('root', ?)", root);
    return root;
  });
}

function inTextOrder(nodes: readonly NoteNode[]): readonly NoteNode[] {
  return nodes.toSorted((one, other) => compare(one.file, other.file) || byPlace(one, other));
}

function byPlace(one: NoteNode, other: NoteNode): number {
  return one.begin - other.begin || one.level - other.level;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
