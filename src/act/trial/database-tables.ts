import { type FileHandle, open } from "node:fs/promises";
import { bytesOfPath } from "../files/byte-names.ts";

/** How many rows a table of a database has, and how many bytes of values they hold, with one for each row. */
export type TableSize = { readonly rows: number; readonly bytes: number };

const magic = "SQLite format 3\0";
/** Bytes. A larger database is not looked into. */
const largest = 256_000_000;

/** Whether a file is a database of SQLite. */
export async function isDatabase(path: string): Promise<boolean> {
  return (await firstBytes(path, magic.length)).toString("latin1") === magic;
}

/** The first bytes of a file. */
export async function firstBytes(path: string, length: number): Promise<Buffer> {
  await using file = await open(bytesOfPath(path));
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * The tables of a database, by their names, read from its pages (sqlite.org/fileformat.html): no program
 * opens a file that a command wrote. What a log beside the file adds does not count, nor do tables of SQLite
 * itself and of an index for full text, which get smaller where nothing is lost. Null where the file cannot
 * be read as a database, or is too large.
 */
export async function databaseTables(path: string): Promise<ReadonlyMap<string, TableSize> | null> {
  await using file = await open(bytesOfPath(path));
  const { size } = await file.stat();
  if (size > largest) return null;
  try {
    return await new Pages(file, (await file.read(Buffer.alloc(100), 0, 100, 0)).buffer, size).tables();
  } catch (fault) {
    if (fault instanceof RangeError || fault instanceof Damage) return null;
    throw fault;
  }
}

/** Thrown where the pages are no database. */
class Damage extends Error {}

/** The kinds of pages in a tree, and whether what is in their cells are rows. */
const pageKinds = new Map([
  [2, { isLeaf: false, isIndex: true }],
  [5, { isLeaf: false, isIndex: false }],
  [10, { isLeaf: true, isIndex: true }],
  [13, { isLeaf: true, isIndex: false }],
]);

/** A cell with a row: where its bytes begin in its page, and how many there are. */
type Cell = { readonly page: Buffer; readonly at: number; readonly bytes: number };

class Pages {
  readonly #file: FileHandle;
  readonly #pageSize: number;
  readonly #count: number;
  /** 1 for UTF-8, 2 and 3 for UTF-16 with either order of bytes. */
  readonly #encoding: number;
  readonly #seen = new Set<number>();

  constructor(file: FileHandle, header: Buffer, size: number) {
    const said = header.readUInt16BE(16);
    this.#file = file;
    this.#pageSize = said === 1 ? 65_536 : said;
    if (header.toString("latin1", 0, magic.length) !== magic || this.#pageSize < 512) throw new Damage();
    this.#count = Math.floor(size / this.#pageSize);
    this.#encoding = header.readUInt32BE(56);
  }

  async tables(): Promise<ReadonlyMap<string, TableSize>> {
    const roots = new Map<string, number>();
    for await (const cells of this.#cells(1))
      for (const cell of cells) {
        const [kind, name, , root] = this.#columns(cell);
        if (kind === "table" && typeof name === "string" && typeof root === "number") roots.set(name, root);
      }
    const virtual = [...roots].flatMap(([name, root]) => (root === 0 ? [`${name}_`] : []));
    const found = new Map<string, TableSize>();
    for (const [name, root] of roots) {
      const isDerived = virtual.some((start) => name.startsWith(start)) && !name.endsWith("_content");
      if (root === 0 || isDerived || name.startsWith("sqlite_")) continue;
      const size = { rows: 0, bytes: 0 };
      for await (const cells of this.#cells(root)) {
        size.rows += cells.length;
        for (const { page, at, bytes } of cells) size.bytes += 1 + bytes - numberAt(page, at).value;
      }
      found.set(name, size);
    }
    return found;
  }

  /** The cells with rows in the tree that begins at a page, page by page. */
  async *#cells(root: number): AsyncGenerator<readonly Cell[]> {
    const waiting = [root];
    for (const number of waiting) {
      if (this.#seen.has(number) || number < 1 || number > this.#count) throw new Damage();
      this.#seen.add(number);
      const page = Buffer.alloc(this.#pageSize);
      await this.#file.read(page, 0, this.#pageSize, (number - 1) * this.#pageSize);
      const start = number === 1 ? 100 : 0;
      const kind = pageKinds.get(page.readUInt8(start));
      if (kind === undefined) throw new Damage();
      const list = start + (kind.isLeaf ? 8 : 12);
      if (!kind.isLeaf) waiting.push(page.readUInt32BE(start + 8));
      const cells: Cell[] = [];
      for (let index = 0; index < page.readUInt16BE(start + 3); index += 1) {
        const at = page.readUInt16BE(list + 2 * index);
        if (!kind.isLeaf) waiting.push(page.readUInt32BE(at));
        if (!kind.isLeaf && !kind.isIndex) continue;
        const bytes = numberAt(page, kind.isLeaf ? at : at + 4);
        const begin = kind.isIndex ? bytes.end : numberAt(page, bytes.end).end;
        cells.push({ page, at: begin, bytes: bytes.value });
      }
      yield cells;
    }
  }

  #text(bytes: Buffer): string {
    if (this.#encoding === 1) return bytes.toString("utf8");
    return (this.#encoding === 3 ? Buffer.from(bytes).swap16() : bytes).toString("utf16le");
  }

  /** The first four columns of a row; null for what is neither text nor a number. */
  #columns({ page, at }: Cell): readonly (string | number | null)[] {
    const length = numberAt(page, at);
    let [head, body] = [length.end, at + length.value];
    return [0, 1, 2, 3].map(() => {
      const { value: type, end } = numberAt(page, head);
      head = end;
      const size = type < 12 ? ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? 0) : Math.floor((type - 12) / 2);
      const from = body;
      body += size;
      if (body > page.length) throw new Damage();
      if (type >= 13) return this.#text(page.subarray(from, body));
      if (type >= 8) return type === 9 ? 1 : 0;
      return type === 0 || type > 5 ? null : page.readIntBE(from, size);
    });
  }
}

/** A number of up to nine bytes, of which each but the last has its first bit set. */
function numberAt(page: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let place = at; place < at + 8; place += 1) {
    const byte = page.readUInt8(place);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: place + 1 };
  }
  return { value: value * 256 + page.readUInt8(at + 8), end: at + 9 };
}
