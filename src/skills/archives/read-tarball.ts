import { gunzipSync } from "node:zlib";
import { folderLimits } from "../../signal/folder-limits.ts";
import { shownPath } from "./archive-path.ts";
import { ArchiveProblem } from "./archive-problem.ts";

/** A file of an archive: its path below the root, with slashes. */
export type UnpackedFile = { readonly path: string; readonly bytes: Buffer };

const block = 512;
/** What the headers of all files and folders may take besides the files themselves. */
const headerRoom = 4 * 1024 * 1024;

/** Reads a tar.gz (ustar, pax and GNU names). Throws an `ArchiveProblem` where it is cut, has anything but files and folders, or unpacks to too much. */
export function readTarball(bytes: Buffer): readonly UnpackedFile[] {
  const tar = inflate(bytes);
  const files: UnpackedFile[] = [];
  let total = 0;
  let longName: string | null = null;
  for (let at = 0; at + block <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + block);
    const { type, size } = readHeader(header);
    const data = tar.subarray(at + block, at + block + size);
    if (data.length < size) throw new ArchiveProblem("it is cut off");
    at += block + Math.ceil(size / block) * block;
    const name = longName ?? nameIn(header);
    const next = nextName(type, data);
    if (next !== undefined) {
      longName = next ?? longName;
      continue;
    }
    longName = null;
    if (type === "5") continue;
    if (!/[0\0]/.test(type)) throw new ArchiveProblem(`${shownPath(name)} in it is ${kindOf(type)}`);
    total += size;
    if (total > folderLimits.bytes || files.length > folderLimits.files) throw tooMuch();
    files.push({ path: name.replace(/^(?:\.\/)+/, ""), bytes: data });
  }
  return files;
}

/** What archives say that would unpack to more than a skill may have. */
export function tooMuch(): ArchiveProblem {
  const { files, bytes } = folderLimits;
  return new ArchiveProblem(`it holds more than ${files} files or ${bytes / 1024 / 1024} MB`);
}

function inflate(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: folderLimits.bytes + headerRoom });
  } catch (error) {
    if (error instanceof RangeError) throw tooMuch();
    throw new ArchiveProblem("it cannot be unpacked: it is damaged or cut off");
  }
}

function readHeader(header: Buffer): { readonly type: string; readonly size: number } {
  const sum = header.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (octal(header, 148, 8) !== sum) throw new ArchiveProblem("it is damaged: the sum of a header is wrong");
  return { type: header.toString("latin1", 156, 157), size: octal(header, 124, 12) };
}

function octal(header: Buffer, at: number, length: number): number {
  const text = textIn(header, at, length).trim();
  if (!/^[0-7]{1,11}$/.test(text))
    throw new ArchiveProblem("it has a number that cannot be read, or too large");
  return Number.parseInt(text, 8);
}

function textIn(header: Buffer, at: number, length: number): string {
  const end = header.subarray(at, at + length).indexOf(0);
  return header.toString("utf8", at, at + (end < 0 ? length : end));
}

function nameIn(header: Buffer): string {
  const prefix = header.toString("latin1", 257, 262) === "ustar" ? textIn(header, 345, 155) : "";
  const name = textIn(header, 0, 100);
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The name that a header gives the entry behind it; null where it gives none, undefined where it is an entry itself. */
function nextName(type: string, data: Buffer): string | null | undefined {
  if (type === "g") return null;
  if (type === "L") return textIn(data, 0, data.length);
  if (type !== "x") return undefined;
  const text = data.toString("utf8");
  if (/(?:^|\n)\d+ (?:size|linkpath|GNU\.sparse[^=]*)=/.test(text))
    throw new ArchiveProblem("it has a header that changes what follows it");
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? null;
}

function kindOf(type: string): string {
  return type === "1" || type === "2" ? "a link" : "neither a file nor a folder";
}
