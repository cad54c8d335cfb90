import { merkleRoot } from "../../../notes/note-hashes.ts";
import type { FoundStamp, NoteFile, NoteLink, NoteNode, ParsedFile } from "../../../notes/note-node.ts";
import type { RowFilter } from "../../search/find-rows.ts";
import type { Database } from "../../storage/database.ts";
import { integer, type Row, text } from "../../storage/rows.ts";
import { type FileRows, toFileRows } from "./file-rows.ts";
import { hasAddress, hasFolder, makeSchema, shrinkEmptied } from "./index-schema.ts";
import { fileFromRow, idNumber, labelBasisOf, nodesFromRows, offsetBytesPerNode } from "./node-rows.ts";
import type { NodeChanges, NodeFilter, NoteHit, NoteIndex } from "./note-index.ts";
import { openNoteWords } from "./note-words.ts";
import { readStamps } from "./read-stamps.ts";
import { type IndexWriter, removeFileRows, writeFileRows } from "./write-file-rows.ts";

/** The index in a database that has its schema. Each request is synchronous inside, so callers pass a bounded amount at a time. */
export class SqliteNoteIndex implements NoteIndex {
  readonly #database: Database;
  readonly #words: ReturnType<typeof openNoteWords>;

  /** `clock` says what "last week" means in a search. */
  constructor(database: Database, clock: () => number = Date.now) {
    this.#database = database;
    this.#words = openNoteWords(database, clock);
  }

  async files(): Promise<readonly NoteFile[]> {
    return allFiles(this.#database);
  }

  async file(path: string): Promise<NoteFile | null> {
    const row = fileRow(this.#database, path);
    return row === undefined ? null : fileFromRow(row);
  }

  async filesWithSetup(): Promise<readonly NoteFile[]> {
    return this.#database
      .all("SELECT * FROM files WHERE instr(setup, '/') > 0 ORDER BY path")
      .map(fileFromRow);
  }

  async replace(files: readonly ParsedFile[]): Promise<NodeChanges> {
    return this.replaceRows(files.map(toFileRows));
  }

  /** Does the same as `replace` for files that were converted to rows before, for example in another thread. */
  async replaceRows(files: readonly FileRows[]): Promise<NodeChanges> {
    return this.#change((writer) => {
      for (const file of files) writeFileRows(writer, file);
    });
  }

  async touch(files: readonly NoteFile[]): Promise<void> {
    this.#database.transaction("unforced", () => {
      for (const file of files) touchFile(this.#database, file);
    });
  }

  async remove(paths: readonly string[]): Promise<NodeChanges> {
    return this.#change((writer) => {
      for (const path of paths) removeFileRows(writer, path);
    });
  }

  async clear(): Promise<void> {
    makeSchema(this.#database);
    shrinkEmptied(this.#database);
  }

  async node(id: string): Promise<NoteNode | null> {
    const row = this.#database.get("SELECT * FROM nodes WHERE id_number = ? AND id = ?", idNumber(id), id);
    return row === undefined ? null : (nodesFromRows(this.#database, [row])[0] ?? null);
  }

  async claimants(id: string): Promise<readonly NoteNode[]> {
    const rows = this.#database.all(
      "SELECT * FROM nodes WHERE id_number = ?1 AND id = ?2 AND key IS NULL UNION ALL SELECT * FROM nodes WHERE key = ?2",
      idNumber(id),
      id,
    );
    return nodesFromRows(this.#database, rows);
  }

  async nodesInFile(path: string): Promise<readonly NoteNode[]> {
    return nodesOfFileRow(this.#database, fileRow(this.#database, path));
  }

  async children(id: string | null): Promise<readonly NoteNode[]> {
    return id === null ? fileNodes(this.#database) : childrenOf(this.#database, id);
  }

  async *all(): AsyncIterable<NoteNode> {
    for (const { path } of allFiles(this.#database)) {
      yield* nodesOfFileRow(this.#database, fileRow(this.#database, path));
    }
  }

  async count(): Promise<number> {
    return integer(this.#database.get("SELECT count(*) AS count FROM nodes") ?? {}, "count");
  }

  async countInFiles(paths: readonly string[]): Promise<number> {
    const row = this.#database.get(
      "SELECT coalesce(sum(length(places)), 0) AS bytes FROM files WHERE path IN (SELECT value FROM json_each(?))",
      JSON.stringify(paths),
    );
    return integer(row ?? {}, "bytes") / offsetBytesPerNode;
  }

  async search(query: string, limit: number, filter: NodeFilter | null = null): Promise<readonly NoteHit[]> {
    const rows = filter === null ? null : this.#rowFilter(filter);
    return (await this.#words.search(query, limit, rows)).flatMap(({ number, ...hit }) => {
      const row = this.#database.get("SELECT id FROM nodes WHERE number = ?", number);
      return row === undefined ? [] : [{ id: text(row, "id"), ...hit }];
    });
  }

  async stampsFor(from: string, to: string): Promise<readonly FoundStamp[]> {
    return readStamps(this.#database, from, to);
  }

  async linksTo(type: string, target: string): Promise<readonly NoteLink[]> {
    return this.#database
      .all(
        "SELECT id, begin FROM links JOIN nodes ON number = node WHERE type = ? AND target = ? ORDER BY id, begin",
        type,
        target,
      )
      .map((row) => ({ node: text(row, "id"), type, target, begin: integer(row, "begin") }));
  }

  async openNodesWithTag(tag: string): Promise<readonly NoteNode[]> {
    const rows = this.#database.all(
      "SELECT nodes.* FROM open_tags JOIN nodes ON number = node WHERE tag = ?",
      tag,
    );
    return inTextOrder(nodesFromRows(this.#database, rows));
  }

  async nodesWithAddress(): Promise<readonly NoteNode[]> {
    return nodesFromRows(this.#database, this.#database.all(`SELECT * FROM nodes WHERE ${hasAddress}`));
  }

  async nodesWithFolder(): Promise<readonly NoteNode[]> {
    return nodesFromRows(this.#database, this.#database.all(`SELECT * FROM nodes WHERE ${hasFolder}`));
  }

  async titled(words: string, limit: number): Promise<readonly NoteNode[]> {
    const escaped = words.replaceAll(/[\\%_]/g, "\\$&");
    const rows = this.#database.all(
      `SELECT * FROM nodes WHERE title LIKE ? ESCAPE '\\'
       ORDER BY title LIKE ? ESCAPE '\\' DESC, length(title), id LIMIT ?`,
      `%${escaped}%`,
      `${escaped}%`,
      limit,
    );
    return nodesFromRows(this.#database, rows);
  }

  async titledIn(text: string, limit: number): Promise<readonly NoteNode[]> {
    const rows = this.#database.all(
      `SELECT * FROM nodes WHERE title <> '' AND instr(?, lower(title)) > 0
       ORDER BY length(title) DESC, id LIMIT ?`,
      text.toLowerCase(),
      limit,
    );
    return nodesFromRows(this.#database, rows);
  }

  async root(): Promise<string> {
    return rootHash(this.#database);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #rowFilter(filter: NodeFilter): RowFilter {
    return async (numbers) => {
      const rows = this.#database.all(
        "SELECT number, title, body, hashes FROM json_each(?) JOIN nodes ON number = value",
        JSON.stringify(numbers),
      );
      const visible = await filter(rows.map(labelBasisOf));
      const left = new Set(rows.filter((_, at) => visible[at]).map((row) => integer(row, "number")));
      return numbers.filter((number) => left.has(number));
    };
  }

  /** Runs a change in one transaction, and returns what it did to the nodes. */
  #change(work: (writer: IndexWriter) => void): NodeChanges {
    const writer: IndexWriter = {
      database: this.#database,
      words: this.#words,
      added: new Set(),
      changed: new Set(),
      removed: new Set(),
      next: 0,
    };
    this.#database.transaction("unforced", () => {
      const next = this.#database.get("SELECT coalesce(max(number), 0) + 1 AS next FROM nodes");
      writer.next = integer(next ?? {}, "next");
      work(writer);
      this.#database.run("DELETE FROM meta WHERE key = 'root'");
    });
    return netChanges(writer);
  }
}

/** A node that was removed and added within one change, for example because it moved to another file, counts as changed. */
function netChanges({ added, changed, removed }: IndexWriter): NodeChanges {
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

function fileRow(database: Database, path: string): Row | undefined {
  return database.get("SELECT * FROM files WHERE path = ?", path);
}

function allFiles(database: Database): readonly NoteFile[] {
  return database
    .all("SELECT number, path, size, modified, changed, inode, digest, hash, setup, problem FROM files")
    .map(fileFromRow)
    .sort((one, other) => compare(one.path, other.path));
}

function touchFile(database: Database, { path, size, modified, changed, inode }: NoteFile): void {
  database.run(
    "UPDATE files SET size = ?, modified = ?, changed = ?, inode = ? WHERE path = ?",
    size,
    modified,
    changed,
    inode,
    path,
  );
}

function nodesOfFileRow(database: Database, file: Row | undefined): readonly NoteNode[] {
  if (file === undefined) return [];
  const rows = database.all("SELECT * FROM nodes WHERE file = ?", integer(file, "number"));
  return nodesFromRows(database, rows).toSorted(byOffset);
}

function fileNodes(database: Database): readonly NoteNode[] {
  return inTextOrder(nodesFromRows(database, database.all("SELECT * FROM nodes WHERE parent IS NULL")));
}

function childrenOf(database: Database, id: string): readonly NoteNode[] {
  const rows = database.all(
    "SELECT child.* FROM nodes AS above JOIN nodes AS child ON child.parent = above.number WHERE above.id_number = ? AND above.id = ?",
    idNumber(id),
    id,
  );
  return nodesFromRows(database, rows).toSorted(byOffset);
}

function rootHash(database: Database): string {
  const cached = database.get("SELECT value FROM meta WHERE key = 'root'");
  if (cached !== undefined) return text(cached, "value");
  return database.transaction("unforced", () => {
    const root = merkleRoot(allFiles(database));
    database.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('root', ?)", root);
    return root;
  });
}

function inTextOrder(nodes: readonly NoteNode[]): readonly NoteNode[] {
  return nodes.toSorted((one, other) => compare(one.file, other.file) || byOffset(one, other));
}

function byOffset(one: NoteNode, other: NoteNode): number {
  return one.begin - other.begin || one.level - other.level;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
