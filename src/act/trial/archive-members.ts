import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { bytesOfPath } from "../files/byte-names.ts";

/** One entry of an archive: its name as it stands there, and its size in bytes. */
export type Member = { readonly name: string; readonly size: number; readonly isDevice: boolean };

/** Bytes of an archive, once unpacked, and entries that are looked at: of more nobody reads the list. */
const most = { bytes: 256_000_000, members: 100_000, list: 16_000_000 };

/**
 * The entries of a file that is an archive: null where it is none, "unread" where only other programs can
 * list it, or where it is too large or damaged.
 */
export async function archiveMembers(path: string): Promise<readonly Member[] | "unread" | null> {
  await using file = await open(bytesOfPath(path), "r");
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  const head = buffer.subarray(0, bytesRead);
  if (isTarHeader(head)) return membersOfTar(path, null);
  if (startsWith(head, "1f8b")) return membersOfTar(path, createGunzip());
  if (startsWith(head, "28b52ffd")) return membersOfTar(path, createZstdDecompress());
  if (startsWith(head, "504b0304") || startsWith(head, "504b0506")) {
    const length = Math.min(size, most.list);
    const end = await file.read(Buffer.alloc(length), 0, length, size - length);
    return membersOfZip(end.buffer.subarray(0, end.bytesRead), size) ?? "unread";
  }
  const isPacked = packedOnly.some((start) => startsWith(head, start));
  if (isPacked) return /\.(?:t[bxgz][a-z0-9]*|tar\.[a-z0-9]+|cpio\.[a-z0-9]+)$/i.test(path) ? "unread" : null;
  return otherArchives.some((start) => startsWith(head, start)) ? "unread" : null;
}

/** bzip2, xz, lz4, lzip: they pack one file, which may be an archive. */
const packedOnly = ["425a68", "fd377a585a00", "04224d18", "4c5a4950"];
/** 7-Zip, RAR, cpio (three forms), squashfs, ar. */
const otherArchives = [
  "377abcaf271c",
  "526172211a07",
  "303730373031",
  "303730373032",
  "303730373037",
  "68737173",
];

function startsWith(head: Buffer, hex: string): boolean {
  return head.subarray(0, hex.length / 2).toString("hex") === hex;
}

function isTarHeader(block: Buffer): boolean {
  return block.length === 512 && block.toString("latin1", 257, 262) === "ustar";
}

/** The entries of a tar (tar(5)); null where it is none. */
async function membersOfTar(
  path: string,
  unpacked: Transform | null,
): Promise<readonly Member[] | "unread" | null> {
  const read = createReadStream(bytesOfPath(path));
  const source = unpacked === null ? read : pipeline(read, unpacked, () => undefined);
  const tar = new TarReader();
  try {
    for await (const piece of source) {
      if (!Buffer.isBuffer(piece)) break;
      tar.add(piece);
      if (tar.isNone) return null;
      if (tar.bytes > most.bytes || tar.members.length > most.members) return "unread";
    }
  } catch {
    // Cut off or damaged: what it holds nobody can list, and neither says that it lacks nothing.
    return tar.members.length === 0 ? null : "unread";
  } finally {
    read.destroy();
    unpacked?.destroy();
  }
  return tar.members.length === 0 ? null : tar.members;
}

/** Reads the headers of a tar, piece by piece, and skips what its entries hold. */
class TarReader {
  readonly members: Member[] = [];
  bytes = 0;
  isNone = false;
  #block: Buffer = Buffer.alloc(0);
  #skip = 0;
  #longName = 0;
  #name: string | null = null;

  add(piece: Buffer): void {
    this.bytes += piece.length;
    let rest = this.#block.length === 0 ? piece : Buffer.concat([this.#block, piece]);
    for (;;) {
      const skipped = Math.min(this.#skip, rest.length);
      rest = rest.subarray(skipped);
      this.#skip -= skipped;
      const needed = this.#longName > 0 ? padded(this.#longName) : 512;
      if (this.#skip > 0 || rest.length < needed) break;
      if (this.#longName > 0) {
        this.#name = textUntilNul(rest, 0, this.#longName);
        this.#longName = 0;
      } else this.#header(rest.subarray(0, 512));
      if (this.isNone) return;
      rest = rest.subarray(needed);
    }
    this.#block = rest;
  }

  #header(block: Buffer): void {
    if (block.every((byte) => byte === 0)) return;
    if (!isTarHeader(block)) {
      this.isNone = this.members.length === 0;
      return;
    }
    const size = Number.parseInt(textUntilNul(block, 124, 136).trim(), 8) || 0;
    const type = String.fromCharCode(block[156] ?? 0);
    if (type === "L") {
      this.#longName = size;
      return;
    }
    this.#skip = padded(size);
    if (type === "x" || type === "g" || type === "K") return;
    const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
    const prefix = isPosix ? textUntilNul(block, 345, 500) : "";
    const short = textUntilNul(block, 0, 100);
    const name = this.#name ?? (prefix === "" ? short : `${prefix}/${short}`);
    this.#name = null;
    this.members.push({
      name: type === "5" ? `${name}/` : name,
      size,
      isDevice: type === "3" || type === "4",
    });
  }
}

function padded(size: number): number {
  return Math.ceil(size / 512) * 512;
}

function textUntilNul(bytes: Buffer, from: number, to: number): string {
  return bytes.toString("utf8", from, to).split("\0", 1)[0] ?? "";
}

/** The entries of a zip, by the list at its end (APPNOTE 4.3.12); null where that cannot be read. */
function membersOfZip(end: Buffer, size: number): readonly Member[] | null {
  const at = end.lastIndexOf(Buffer.from("504b0506", "hex"));
  if (at < 0 || at + 22 > end.length) return null;
  const count = end.readUInt16LE(at + 10);
  let next = end.readUInt32LE(at + 16) - (size - end.length);
  const members: Member[] = [];
  for (let index = 0; index < count; index += 1) {
    if (next < 0 || next + 46 > end.length || end.readUInt32LE(next) !== 0x02014b50) return null;
    const [name, extra, comment] = [28, 30, 32].map((offset) => end.readUInt16LE(next + offset));
    const length = name ?? 0;
    members.push({
      name: end.toString("utf8", next + 46, next + 46 + length),
      size: end.readUInt32LE(next + 24),
      isDevice: false,
    });
    next += 46 + length + (extra ?? 0) + (comment ?? 0);
  }
  return members;
}
