import type { TextTable } from "../../search/text-table.ts";
import type { Database } from "../../storage/database.ts";
import { integer, text } from "../../storage/rows.ts";
import type { FileRows, NodeRow } from "./file-rows.ts";
import { claimantFromRow, compareClaims, encodeOffsets, type IdClaimant, idNumber } from "./node-rows.ts";

/** A change of the index under way: the tables it writes to, and the IDs of the nodes that it added, changed and removed. */
export type IndexWriter = {
  readonly database: Database;
  readonly words: TextTable;
  readonly added: Set<string>;
  readonly changed: Set<string>;
  readonly removed: Set<string>;
  /** The row number of the next node. */
  next: number;
};

type Kept = { readonly number: number; readonly id: string; readonly print: string };

/** Replaces the rows of a file within the caller's transaction. The rows of unchanged nodes are not touched. */
export function writeFileRows(writer: IndexWriter, { file, nodes }: FileRows): void {
  const { database } = writer;
  const number = fileNumber(database, file.path);
  const kept = new Map<string, Kept>();
  for (const row of database.all(
    "SELECT number, coalesce(key, id) AS key, id, print FROM nodes WHERE file = ?",
    number,
  )) {
    kept.set(text(row, "key"), {
      number: integer(row, "number"),
      id: text(row, "id"),
      print: text(row, "print"),
    });
  }
  const wanted = new Set(nodes.map(({ key }) => key));
  for (const [key, old] of kept) if (!wanted.has(key)) removeNode(writer, { ...old, key });
  const displaced = [...kept].filter(([key, { id }]) => wanted.has(key) && id !== key);
  for (const [, { number: node }] of displaced) rename(database, node, `::${node}`);
  const numbers = new Map<string, number>();
  const changed: string[] = [];
  for (const node of nodes) {
    const placed = { node, file: number, path: file.path, parent: numbers.get(node.parent ?? "") ?? null };
    const old = kept.get(node.key);
    numbers.set(node.key, putNode(writer, placed, old));
    if (old !== undefined && old.id !== node.key) restorePlaceId(writer, old, node.placeId);
    if (old !== undefined && old.print !== node.print && node.key !== node.placeId) changed.push(node.key);
  }
  for (const key of changed) reassignId(writer, key);
  database.run(
    "UPDATE files SET size = ?, modified = ?, changed = ?, inode = ?, digest = ?, hash = ?, setup = ?, problem = ?, places = ? WHERE number = ?",
    file.size,
    file.modified,
    file.changed,
    file.inode,
    file.digest,
    file.hash,
    file.setup,
    file.problem,
    encodeOffsets(nodes, [...numbers.values()]),
    number,
  );
}

/** Removes the rows of a file within the caller's transaction. */
export function removeFileRows(writer: IndexWriter, path: string): void {
  const { database } = writer;
  const row = database.get("SELECT number FROM files WHERE path = ?", path);
  if (row === undefined) return;
  const file = integer(row, "number");
  for (const node of database.all(
    "SELECT number, coalesce(key, id) AS key, id FROM nodes WHERE file = ?",
    file,
  )) {
    removeNode(writer, { number: integer(node, "number"), key: text(node, "key"), id: text(node, "id") });
  }
  database.run("DELETE FROM files WHERE number = ?", file);
}

function fileNumber(database: Database, path: string): number {
  database.run(
    "INSERT OR IGNORE INTO files (path, size, modified, changed, inode, digest, hash, setup, problem, places) VALUES (?, 0, '', '', '', '', '', '', NULL, x'')",
    path,
  );
  return integer(database.get("SELECT number FROM files WHERE path = ?", path) ?? {}, "number");
}

type Placed = {
  readonly node: NodeRow;
  readonly file: number;
  readonly path: string;
  readonly parent: number | null;
};

function putNode(writer: IndexWriter, placed: Placed, kept: Kept | undefined): number {
  const { database } = writer;
  const { node, file, parent } = placed;
  const { key, title, body, hashes, print } = node;
  const place = node.placeId === key ? null : node.placeId;
  if (kept?.print === print) return kept.number;
  if (kept !== undefined) {
    database.run(
      "UPDATE nodes SET parent = ?, title = ?, print = ?, place = ?, hashes = unhex(?), body = ? WHERE number = ?",
      parent,
      title,
      print,
      place,
      hashes,
      body,
      kept.number,
    );
    dropDetails(writer, kept.number);
    putDetails(writer, kept.number, placed);
    writer.changed.add(kept.id);
    return kept.number;
  }
  const id = key === node.placeId ? key : idAmongAll(writer, placed);
  const number = writer.next;
  database.run(
    "INSERT INTO nodes (number, file, parent, key, id, id_number, title, print, place, hashes, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, unhex(?), ?)",
    number,
    file,
    parent,
    id === key ? null : key,
    id,
    idNumber(id),
    title,
    print,
    place,
    hashes,
    body,
  );
  writer.next += 1;
  putDetails(writer, number, placed);
  writer.added.add(id);
  return number;
}

/** The ID of a new node among all files: its `:ID:` if it wins over the other nodes that have it, otherwise its place ID. */
function idAmongAll(writer: IndexWriter, { node, path }: Placed): string {
  const { key, placeId, rank } = node;
  const holder = holderOf(writer, key);
  if (holder === null) return key;
  if (compareClaims(holder, { path, placeId, rank }) < 0) return placeId;
  rename(writer.database, holder.number, holder.placeId);
  writer.removed.add(key);
  writer.added.add(holder.placeId);
  return key;
}

const claimants =
  "SELECT nodes.number, nodes.id, nodes.key, nodes.place, nodes.body, path FROM nodes JOIN files ON files.number = nodes.file";

function holderOf({ database }: IndexWriter, key: string): IdClaimant | null {
  const row = database.get(`${claimants} WHERE id_number = ? AND id = ?`, idNumber(key), key);
  return row === undefined ? null : claimantFromRow(row);
}

/** The best claimant among the nodes that have an `:ID:` but not as their ID. */
function bestOtherClaimant({ database }: IndexWriter, key: string): IdClaimant | null {
  const rows = database.all(`${claimants} WHERE key = ?`, key);
  return rows.map(claimantFromRow).toSorted(compareClaims)[0] ?? null;
}

/** Decides anew who gets an `:ID:` after a node that has it changed, since its trust may have changed too. */
function reassignId(writer: IndexWriter, key: string): void {
  const successor = bestOtherClaimant(writer, key);
  const holder = successor === null ? null : holderOf(writer, key);
  if (successor === null || holder === null || compareClaims(holder, successor) < 0) return;
  rename(writer.database, holder.number, holder.placeId);
  rename(writer.database, successor.number, key);
  for (const id of [successor.id, holder.placeId]) writer.changed.delete(id);
  writer.removed.add(successor.id);
  writer.added.add(holder.placeId);
  writer.changed.add(key);
}

/** Gives a node that lost its `:ID:` to another file its place ID, which may have changed. */
function restorePlaceId(writer: IndexWriter, old: Kept, placeId: string): void {
  rename(writer.database, old.number, placeId);
  if (old.id === placeId) return;
  writer.changed.delete(old.id);
  writer.removed.add(old.id);
  writer.added.add(placeId);
}

function rename(database: Database, number: number, to: string): void {
  database.run(
    "UPDATE nodes SET id = ?1, id_number = ?2, key = nullif(coalesce(key, id), ?1) WHERE number = ?3",
    to,
    idNumber(to),
    number,
  );
}

function removeNode(
  writer: IndexWriter,
  { number, key, id }: { readonly number: number; readonly key: string; readonly id: string },
): void {
  dropDetails(writer, number);
  writer.database.run("DELETE FROM nodes WHERE number = ?", number);
  writer.removed.add(id);
  if (id === key) passOnId(writer, key);
}

/** Gives a freed `:ID:` to the best remaining claimant. */
function passOnId(writer: IndexWriter, key: string): void {
  const successor = bestOtherClaimant(writer, key);
  if (successor === null) return;
  rename(writer.database, successor.number, key);
  writer.removed.add(successor.id);
  writer.added.add(key);
}

function putDetails(writer: IndexWriter, number: number, { node, file }: Placed): void {
  const { database } = writer;
  const { words, openTags, stamps, links } = node;
  const group = String(file);
  if ("stems" in words) writer.words.addStemmed(number, { ...words, group });
  else writer.words.put({ ...words, number, group });
  for (const tag of openTags) {
    database.run("INSERT INTO open_tags (tag, node) VALUES (?, ?)", tag, number);
  }
  for (const { role, time, first, last, headline } of stamps) {
    database.run(
      "INSERT INTO stamps (node, role, time, first, last, headline) VALUES (?, ?, ?, ?, ?, ?)",
      number,
      role,
      time,
      first,
      last,
      headline,
    );
  }
  for (const { type, target, begin } of links) {
    database.run(
      "INSERT OR IGNORE INTO links (type, target, node, begin) VALUES (?, ?, ?, ?)",
      type,
      target,
      number,
      begin,
    );
  }
}

function dropDetails(writer: IndexWriter, number: number): void {
  writer.words.remove(number);
  for (const table of ["open_tags", "stamps", "links"] as const) {
    writer.database.run(`DELETE FROM ${table} WHERE node = ?`, number);
  }
}
