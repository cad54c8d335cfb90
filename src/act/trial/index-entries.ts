import { textOfName } from "../files/byte-names.ts";
import { type Link, readLink } from "./split-index.ts";

/** Bytes that git keeps of the status of a file, first in its entry: times, numbers, mode, owner and size. */
const statusBytes = 40;
/** Where the mode is in them. */
const mode = { at: 24, end: 28 };

/**
 * What an index of git says, without what it remembers of the status of files, which `git status` writes
 * anew: of each entry the mode, object, flags and name, and what git must understand. Null where the bytes
 * are no index.
 */
export function indexEntries(bytes: Buffer): Buffer | null {
  if (bytes.length < 32 || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
  return entriesOf(bytes, 20) ?? entriesOf(bytes, 32);
}

/** What an index says of a file: `isHidden` where git is told not to look at the file. */
export type IndexFile = {
  readonly name: string;
  readonly mode: number;
  readonly id: string;
  readonly isHidden: boolean;
};

/**
 * The files that an index of git lists by itself, and where others are; null where the bytes are no index.
 */
export type IndexPart = { readonly files: readonly IndexFile[]; readonly link: Link | null };

/** Reads an index of git, or the part that one shares; null where the bytes are none. */
export function readIndex(bytes: Buffer): IndexPart | null {
  if (indexEntries(bytes) === null) return null;
  const idBytes = read(bytes, 20) === null ? 32 : 20;
  const found = read(bytes, idBytes);
  if (found === null) return null;
  const linked = found.extensions.find((each) => each.toString("latin1", 0, 4) === "link");
  const link = linked === undefined ? null : readLink(linked.subarray(8), idBytes);
  if (linked !== undefined && link === null) return null;
  let name: Buffer = Buffer.alloc(0);
  const files = found.entries.map(({ parts: [mode, said], dropped, ending }) => {
    const kept = dropped === null ? 0 : Math.max(0, name.length - dropped);
    name = Buffer.concat([name.subarray(0, kept), ending]);
    const flags = said?.readUInt16BE(idBytes) ?? 0;
    const hasMore = (flags & extended) !== 0 && bytes.readUInt32BE(4) > 2;
    const isSkipped = hasMore && ((said?.readUInt16BE(idBytes + 2) ?? 0) & skipped) !== 0;
    return {
      name: textOfName(name),
      mode: mode?.readUInt32BE(0) ?? 0,
      id: said?.toString("hex", 0, idBytes) ?? "",
      isHidden: isSkipped || (flags & assumed) !== 0,
    };
  });
  return { files, link };
}

/**
 * Flags of an entry: further flags follow; git is told that the file is as it was; that it has no place in
 * the work tree.
 */
const [extended, assumed, skipped] = [0x4000, 0x8000, 0x4000];

/** Where a mode has these bits, the object is a commit of another repository. */
const gitlink = 0o160000;

/** The objects of the files that an index of git lists, by name; none where the bytes are no index. */
export function indexObjects(bytes: Buffer): readonly string[] {
  if (indexEntries(bytes) === null) return [];
  const idBytes = read(bytes, 20) === null ? 32 : 20;
  return (read(bytes, idBytes)?.entries ?? []).flatMap(({ parts: [mode, said] }) =>
    mode === undefined || said === undefined || (mode.readUInt32BE(0) & 0o170000) === gitlink
      ? []
      : [said.toString("hex", 0, idBytes)],
  );
}

function entriesOf(bytes: Buffer, idBytes: 20 | 32): Buffer | null {
  const found = read(bytes, idBytes);
  if (found === null) return null;
  // What begins with a capital letter is a cache.
  const said = found.extensions.filter((each) => !/[A-Z]/.test(each.toString("latin1", 0, 1)));
  return Buffer.concat([bytes.subarray(0, 12), ...found.entries.flatMap(({ parts }) => parts), ...said]);
}

type Read = { readonly entries: readonly Entry[]; readonly extensions: readonly Buffer[] };

function read(bytes: Buffer, idBytes: 20 | 32): Read | null {
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const end = bytes.length - idBytes;
  const [entries, extensions]: [Entry[], Buffer[]] = [[], []];
  let at = 12;
  for (let index = 0; index < count; index += 1) {
    const next = entryAt(bytes.subarray(at, end), idBytes, version);
    if (next === null) return null;
    entries.push(next);
    at += next.length;
  }
  while (at + 8 <= end) {
    const length = 8 + bytes.readUInt32BE(at + 4);
    extensions.push(bytes.subarray(at, at + length));
    at += length;
  }
  return at === end ? { entries, extensions } : null;
}

type Entry = {
  readonly parts: readonly Buffer[];
  readonly length: number;
  /** How many bytes of the name before go; null where the name stands as a whole. */
  readonly dropped: number | null;
  readonly ending: Buffer;
};

function entryAt(bytes: Buffer, idBytes: number, version: number): Entry | null {
  const flagsAt = statusBytes + idBytes;
  if (bytes.length < flagsAt + 4) return null;
  const flags = bytes.readUInt16BE(flagsAt);
  const nameAt = flagsAt + ((flags & extended) !== 0 && version > 2 ? 4 : 2);
  const { dropped, at } = version < 4 ? { dropped: null, at: nameAt } : droppedAt(bytes, nameAt);
  const nul = bytes.indexOf(0, at);
  if (nul === -1) return null;
  const told = flags & 0xfff;
  if (version < 4 && told !== Math.min(nul - nameAt, 0xfff)) return null;
  const length = version < 4 ? (nul + 8) & ~7 : nul + 1;
  const parts = [bytes.subarray(mode.at, mode.end), bytes.subarray(statusBytes, nul + 1)];
  return { parts, length, dropped, ending: bytes.subarray(at, nul) };
}

/** Version 4 tells first, in a number of any length, how much of the name before goes. */
function droppedAt(bytes: Buffer, nameAt: number): { readonly dropped: number; readonly at: number } {
  let at = nameAt;
  let dropped = (bytes[at] ?? 0) & 0x7f;
  while (at < bytes.length && ((bytes[at] ?? 0) & 0x80) !== 0) {
    at += 1;
    dropped = (dropped + 1) * 128 + ((bytes[at] ?? 0) & 0x7f);
  }
  return { dropped, at: at + 1 };
}
