import { BackupProblem } from "./backup-problem.ts";

/** Everything in a tar archive is a whole number of blocks of so many bytes. */
const blockBytes = 512;
/** A name of more bytes, and a size of more than eleven octal digits, stand in a header of their own (pax). */
const longestName = 100;
const largestSize = 0o77777777777;
/** The bytes of the largest header of a long name. */
const largestPax = 16_384;
/** The bytes that may follow the last file: writers fill up the last record. */
const longestEnd = 20_480;

/** A file of an archive. Its contents have to be read to their end before the next file. */
export type TarFile = {
  readonly path: string;
  readonly size: number;
  readonly contents: AsyncIterable<Buffer>;
};

/** The header of a plain file. */
export function tarHeader(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) <= longestName && size <= largestSize) return header(path, size, "0");
  const pax = Buffer.from(paxRecord("path", path) + paxRecord("size", String(size)));
  return Buffer.concat([
    header("pax", pax.length, "x"),
    pax,
    tarPadding(pax.length),
    header("long", Math.min(size, largestSize), "0"),
  ]);
}

/** What fills the last block of a file of so many bytes. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

/** The end of an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

function header(name: string, size: number, type: "0" | "x"): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, longestName, "utf8");
  block.write("0000600\0", 100, "latin1");
  block.write("0000000\0", 108, "latin1");
  block.write("0000000\0", 116, "latin1");
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  block.write("00000000000\0", 136, "latin1");
  block.write(type, 156, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  block.write(`${checksum(block).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** A record begins with its own length. */
function paxRecord(name: string, value: string): string {
  const rest = Buffer.byteLength(` ${name}=${value}\n`);
  const length = [1, 2, 3, 4, 5, 6, 7].find((digits) => String(rest + digits).length === digits) ?? 0;
  return `${rest + length} ${name}=${value}\n`;
}

/** The sum of a header's bytes, its own field taken as blanks. */
function checksum(block: Buffer): number {
  let sum = 0;
  for (const [index, byte] of block.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  return sum;
}

/** Reads an archive of plain files. Throws a `BackupProblem` at anything else: a link, a device, a folder, damage, an early end. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const reader = new BlockReader(bytes);
  for (;;) {
    const file = await readFileHeader(reader);
    if (file === null) return reader.end();
    const left = { bytes: file.size };
    yield { ...file, contents: reader.take(left) };
    if (left.bytes > 0) throw new Error(`${file.path} was not read to its end`);
    await reader.skip(tarPadding(file.size).length);
  }
}

async function readFileHeader(reader: BlockReader): Promise<Omit<TarFile, "contents"> | null> {
  const first = readHeader(await reader.exactly(blockBytes));
  if (first === null || first.type !== "x") return first;
  if (first.size > largestPax) throw new BackupProblem(notOurs("it has a header that is too long"));
  const pax = readPax((await reader.exactly(first.size)).toString("utf8"));
  await reader.skip(tarPadding(first.size).length);
  const next = readHeader(await reader.exactly(blockBytes));
  if (next === null || next.type === "x") throw new BackupProblem(notOurs("a header names no file"));
  return { path: pax.path ?? next.path, size: pax.size ?? next.size };
}

type Header = { readonly path: string; readonly size: number; readonly type: "0" | "x" };

/** Null at the end of the archive. */
function readHeader(block: Buffer): Header | null {
  if (block.every((byte) => byte === 0)) return null;
  if (block.toString("latin1", 257, 262) !== "ustar" || octal(block, 148, 8) !== checksum(block))
    throw new BackupProblem(notOurs("a header is damaged"));
  const path = textOf(block.subarray(0, longestName));
  const type = String.fromCharCode(block[156] ?? 0);
  if (type !== "0" && type !== "x") {
    const what = kinds.get(type) ?? "something that is no plain file";
    throw new BackupProblem(notOurs(`${JSON.stringify(path)} is ${what}`));
  }
  if (block[345] !== 0) throw new BackupProblem(notOurs(`${JSON.stringify(path)} has a prefix`));
  return { path, size: octal(block, 124, 12), type };
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["1", "a hard link"],
  ["2", "a symbolic link"],
  ["3", "a device"],
  ["4", "a device"],
  ["5", "a folder of its own"],
  ["6", "a named pipe"],
]);

function notOurs(what: string): string {
  return `This is no backup as Passepartout writes it: ${what}.`;
}

function readPax(text: string): { readonly path?: string; readonly size?: number } {
  const path = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
  const size = /(?:^|\n)\d+ size=(\d{1,15})\n/.exec(text)?.[1];
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { size: Number(size) }) };
}

function octal(block: Buffer, start: number, length: number): number {
  const digits = /^([0-7]+)[\0 ]*$/.exec(block.toString("latin1", start, start + length))?.[1];
  if (digits === undefined) throw new BackupProblem(notOurs("a header has a number that is none"));
  return Number.parseInt(digits, 8);
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
}

/** Takes bytes from a stream in the sizes that are asked for. */
class BlockReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.take({ bytes: count })) parts.push(part);
    return Buffer.concat(parts);
  }

  async skip(count: number): Promise<void> {
    await this.exactly(count);
  }

  /** Gives the next bytes as they come, and counts down what is left of them. */
  async *take(left: { bytes: number }): AsyncGenerator<Buffer> {
    while (left.bytes > 0) {
      if (this.#held.length === 0 && !(await this.#more()))
        throw new BackupProblem("The backup ends too early: it is not whole.");
      const part = this.#held.subarray(0, left.bytes);
      this.#held = this.#held.subarray(part.length);
      left.bytes -= part.length;
      yield part;
    }
  }

  /** Reads to the end of the stream, where nothing but zeros may follow. */
  async end(): Promise<void> {
    for (let count = 0; this.#held.length > 0 || (await this.#more()); ) {
      count += this.#held.length;
      if (count > longestEnd || this.#held.some((byte) => byte !== 0))
        throw new BackupProblem(notOurs("something follows its end"));
      this.#held = Buffer.alloc(0);
    }
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#held = next.value;
    return true;
  }
}
