import { hash } from "node:crypto";
import { integrityRank } from "../../../notes/id-claims.ts";
import type { NoteFile, NoteNode } from "../../../notes/note-node.ts";
import type { Database } from "../../storage/database.ts";
import { bytesOrNull, integer, integerOrNull, type Row, text, textOrNull } from "../../storage/rows.ts";
import { makeCompactJson } from "./compact-json.ts";
import type { LabelBasis } from "./note-index.ts";

/** The part of a node that its row holds as JSON. The rest is in columns, or in the offsets of its file. */
type NodeBody = Omit<
  NoteNode,
  "id" | "parent" | "file" | "title" | "path" | "begin" | "lineEnd" | "sectionEnd" | "end" | "hash" | "words"
>;

const bodyJson = makeCompactJson<NodeBody>({
  todo: null,
  done: false,
  priority: null,
  tags: [],
  localTags: [],
  properties: {},
  aliases: [],
  refs: [],
  commented: false,
  archived: false,
  label: { integrity: "user", secrecy: "public", sources: [] },
});

/** A row number and four offsets for each node. */
const fields = 5;

/** Bytes of one node in the offsets of its file. */
export const offsetBytesPerNode: number = fields * Uint32Array.BYTES_PER_ELEMENT;

/** The JSON body of a node's row. */
export function encodeNodeBody(node: NoteNode): string {
  const { level, todo, done, priority, tags, localTags, groups, properties } = node;
  const { category, aliases, refs, commented, archived, label, times } = node;
  return bodyJson.encode({
    level,
    todo,
    done,
    priority,
    tags,
    localTags,
    ...(groups === undefined ? {} : { groups }),
    properties,
    category,
    aliases,
    refs,
    commented,
    archived,
    label,
    ...(times === undefined ? {} : { times }),
  });
}

function decodeNodeBody(row: Row): NodeBody {
  return bodyJson.decode(row, "body");
}

/**
 * A number for an ID, 48 bits of its SHA-256. IDs are long: an index over these numbers takes a sixth of one
 * over the IDs.
 */
export function idNumber(id: string): number {
  return Number.parseInt(hash("sha256", id).slice(0, 12), 16);
}

/** Letters of a SHA-256 in hex. */
const hashLetters = 64;

/** The two hashes of a node in hex, as its row holds them in bytes. */
export function hashesOf(node: Pick<NoteNode, "hash" | "words">): string {
  return `${node.hash}${node.words}`;
}

function decodeHashes(row: Row): Pick<NoteNode, "hash" | "words"> {
  const hex = Buffer.from(bytesOrNull(row, "hashes") ?? []).toString("hex");
  return { hash: hex.slice(0, hashLetters), words: hex.slice(hashLetters) };
}

/** Encodes the offsets of a file's nodes; `numbers` are their row numbers. */
export function encodeOffsets(nodes: readonly Place[], numbers: readonly number[]): Uint8Array {
  const places = new Uint32Array(nodes.length * fields);
  for (const [at, { begin, lineEnd, sectionEnd, end }] of nodes.entries()) {
    places.set([numbers[at] ?? 0, begin, lineEnd, sectionEnd, end], at * fields);
  }
  return new Uint8Array(places.buffer);
}

type Place = Pick<NoteNode, "begin" | "lineEnd" | "sectionEnd" | "end">;

/** The offsets of the nodes of one file, by row number. */
export type OffsetTable = { readonly get: (number: number) => Place | undefined };

/** After this many linear searches in a file, its offsets are put into a map. */
const soughtOneByOne = 8;

/** Decodes the offsets in the row of a file. */
export function decodeOffsets(row: Row): OffsetTable {
  const bytes = bytesOrNull(row, "places") ?? new Uint8Array();
  const numbers = new Uint32Array(new Uint8Array(bytes).buffer);
  const placeAt = (at: number): Place => {
    const [begin = 0, lineEnd = 0, sectionEnd = 0, end = 0] = numbers.subarray(at + 1, at + fields);
    return { begin, lineEnd, sectionEnd, end };
  };
  const known = new Map<number, number>();
  let sought = 0;
  return {
    get(number) {
      sought += 1;
      if (sought === soughtOneByOne) {
        for (let at = 0; at < numbers.length; at += fields) known.set(numbers[at] ?? 0, at);
      }
      const found = sought < soughtOneByOne ? indexOf(numbers, number) : known.get(number);
      return found === undefined ? undefined : placeAt(found);
    },
  };
}

function indexOf(numbers: Uint32Array, number: number): number | undefined {
  for (let at = 0; at < numbers.length; at += fields) if (numbers[at] === number) return at;
  return undefined;
}

/** Reads a row of the files table. */
export function fileFromRow(row: Row): NoteFile {
  const problem = row["problem"];
  return {
    path: text(row, "path"),
    size: integer(row, "size"),
    modified: text(row, "modified"),
    changed: text(row, "changed"),
    inode: text(row, "inode"),
    digest: text(row, "digest"),
    hash: text(row, "hash"),
    setup: text(row, "setup"),
    problem: typeof problem === "string" ? problem : null,
  };
}

/** Reads rows of the nodes table, completed from their files and the nodes above them. Each file and each ancestor is read once. */
export function nodesFromRows(database: Database, rows: readonly Row[]): readonly NoteNode[] {
  const files = new Map<number, { readonly path: string; readonly places: OffsetTable }>();
  const above = new Map<number, Above>(rows.map((row) => [integer(row, "number"), aboveOf(row)]));
  const fileOfRow = (row: Row) => {
    const number = integer(row, "file");
    const known = files.get(number) ?? readFile(database, number);
    files.set(number, known);
    return known;
  };
  const parentOf = (number: number | null): Above | null => {
    if (number === null) return null;
    const known = above.get(number) ?? readAbove(database, number);
    if (known !== null) above.set(number, known);
    return known;
  };
  return rows.map((row) => {
    const { path: file, places } = fileOfRow(row);
    const place = places.get(integer(row, "number")) ?? { begin: 0, lineEnd: 0, sectionEnd: 0, end: 0 };
    const parent = parentOf(integerOrNull(row, "parent"));
    const path: string[] = [];
    for (let up = parent; up !== null && up.parent !== null && path.length < 32; up = parentOf(up.parent)) {
      path.unshift(up.title);
    }
    const own = { id: text(row, "id"), parent: parent?.id ?? null, title: text(row, "title") };
    return { ...own, file, path, ...place, ...decodeNodeBody(row), ...decodeHashes(row) };
  });
}

/** What the label of a node depends on, from its row alone. */
export function labelBasisOf(row: Row): LabelBasis {
  return { ...decodeNodeBody(row), title: text(row, "title"), words: decodeHashes(row).words };
}

/** One of several nodes that have the same `:ID:`. */
export type IdClaimant = { readonly number: number; readonly id: string } & IdClaim;

/** What decides which of several nodes gets an `:ID:`: the lower rank, then the path. */
export type IdClaim = { readonly path: string; readonly rank: number; readonly placeId: string };

/** Reads a row of the nodes table, joined with the path of its file, as a claimant. */
export function claimantFromRow(row: Row): IdClaimant {
  const [id, placeId] = [text(row, "id"), textOrNull(row, "place")];
  const claim = { path: text(row, "path"), rank: integrityRank(decodeNodeBody(row).label) };
  return { number: integer(row, "number"), id, ...claim, placeId: placeId ?? textOrNull(row, "key") ?? id };
}

/**
 * Negative if the first claim wins over the second. Paths are compared without their endings, so that a note wins over the copies that synchronisation and
 * people make of it by adding to its name: `house.org` over `house (conflicted copy).org`, `house 2.org` and `house-laptop.org`.
 */
export function compareClaims(one: IdClaim, other: IdClaim): number {
  const byName = compareText(nameWithoutEnding(one.path), nameWithoutEnding(other.path));
  return one.rank - other.rank || byName || compareText(one.path, other.path);
}

function nameWithoutEnding(path: string): string {
  return path.replace(/\.org(_archive)?$/, "");
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

type Above = { readonly id: string; readonly title: string; readonly parent: number | null };

function aboveOf(row: Row): Above {
  return { id: text(row, "id"), title: text(row, "title"), parent: integerOrNull(row, "parent") };
}

function readAbove(database: Database, number: number): Above | null {
  const row = database.get("SELECT id, title, parent FROM nodes WHERE number = ?", number);
  return row === undefined ? null : aboveOf(row);
}

function readFile(
  database: Database,
  number: number,
): { readonly path: string; readonly places: OffsetTable } {
  const row = database.get("SELECT path, places FROM files WHERE number = ?", number);
  return row === undefined
    ? { path: "", places: new Map() }
    : { path: text(row, "path"), places: decodeOffsets(row) };
}
