import { crc32, inflateRawSync } from "node:zlib";
import { folderLimits } from "../../signal/folder-limits.ts";
import { shownPath } from "./archive-path.ts";
import { ArchiveProblem } from "./archive-problem.ts";
import { tooMuch, type UnpackedFile } from "./read-tarball.ts";

/** An entry of the central directory. */
type Entry = {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
};

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const fileMark = 0x04034b50;
/** Bytes of the record at the end, without its comment. */
const endLength = 22;
const longestComment = 65_535;

/** Reads a zip by its central directory. Throws an `ArchiveProblem` where it is cut, encrypted or contradicts itself, has anything but files and folders, or unpacks to too much. */
export function readZip(bytes: Buffer): readonly UnpackedFile[] {
  try {
    const entries = readDirectory(bytes).filter(({ name }) => !name.endsWith("/"));
    const total = entries.reduce((sum, { size }) => sum + size, 0);
    if (entries.length > folderLimits.files || total > folderLimits.bytes) throw tooMuch();
    return entries.map((entry) => ({ path: entry.name, bytes: readEntry(bytes, entry) }));
  } catch (error) {
    // A number that leads out of the file.
    if (error instanceof RangeError) throw new ArchiveProblem("it is damaged or cut off");
    throw error;
  }
}

function readDirectory(bytes: Buffer): readonly Entry[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== entryMark) throw new ArchiveProblem("its list of files is damaged");
    const lengths = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const [nameLength = 0] = lengths;
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    checkKind(name, bytes.readUInt16LE(at + 8), bytes.readUInt32LE(at + 38) >>> 16);
    entries.push({
      name,
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return entries;
}

/** The last record of the file, which no other may follow. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - longestComment);
  for (let at = bytes.length - endLength; at >= first; at--)
    if (bytes.readUInt32LE(at) === endMark && at + endLength + bytes.readUInt16LE(at + 20) === bytes.length)
      return at;
  throw new ArchiveProblem("it is damaged or cut off");
}

function checkKind(name: string, flags: number, mode: number): void {
  if ((flags & 1) !== 0) throw new ArchiveProblem(`${shownPath(name)} in it is encrypted`);
  const kind = mode & 0o170000;
  if (kind === 0o120000) throw new ArchiveProblem(`${shownPath(name)} in it is a link`);
  if (![0, 0o100000, 0o040000].includes(kind))
    throw new ArchiveProblem(`${shownPath(name)} in it is neither a file nor a folder`);
}

function readEntry(bytes: Buffer, { name, method, checksum, packed, size, at }: Entry): Buffer {
  const wrong = (why: string): ArchiveProblem => new ArchiveProblem(`${shownPath(name)} in it ${why}`);
  if (bytes.readUInt32LE(at) !== fileMark) throw wrong("is not where its list says");
  const [nameLength, extraLength] = [bytes.readUInt16LE(at + 26), bytes.readUInt16LE(at + 28)];
  if (bytes.toString("utf8", at + 30, at + 30 + nameLength) !== name) throw wrong("has two names");
  const begin = at + 30 + nameLength + extraLength;
  const data = bytes.subarray(begin, begin + packed);
  if (data.length < packed) throw wrong("is cut off");
  const whole = method === 0 ? data : method === 8 ? inflate(data, size) : null;
  if (whole === null)
    throw wrong("is damaged, larger than it says, or packed in another way than zip usually does");
  if (whole.length !== size || crc32(whole) !== checksum) throw wrong("is not what its list says");
  return whole;
}

/** Null where it gives more than it said, or cannot be unpacked. */
function inflate(data: Buffer, size: number): Buffer | null {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
