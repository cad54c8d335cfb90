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

function entriesOf(bytes: Buffer, idBytes: 20 | 32): Buffer | null {
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const end = bytes.length - idBytes;
  const parts: Buffer[] = [bytes.subarray(0, 12)];
  let at = 12;
  for (let index = 0; index < count; index += 1) {
    const next = entryAt(bytes.subarray(at, end), idBytes, version);
    if (next === null) return null;
    parts.push(...next.parts);
    at += next.length;
  }
  while (at + 8 <= end) {
    const length = 8 + bytes.readUInt32BE(at + 4);
    // What begins with a capital letter is a cache.
    if (!/[A-Z]/.test(bytes.toString("latin1", at, at + 1))) parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return at === end ? Buffer.concat(parts) : null;
}

type Entry = { readonly parts: readonly Buffer[]; readonly length: number };

function entryAt(bytes: Buffer, idBytes: number, version: number): Entry | null {
  const flagsAt = statusBytes + idBytes;
  if (bytes.length < flagsAt + 4) return null;
  const flags = bytes.readUInt16BE(flagsAt);
  const nameAt = flagsAt + ((flags & 0x4000) !== 0 && version > 2 ? 4 : 2);
  const nul = endOfName(bytes, nameAt, version);
  if (nul === -1) return null;
  const told = flags & 0xfff;
  if (version < 4 && told !== Math.min(nul - nameAt, 0xfff)) return null;
  const length = version < 4 ? (nul + 8) & ~7 : nul + 1;
  return { parts: [bytes.subarray(mode.at, mode.end), bytes.subarray(statusBytes, nul + 1)], length };
}

/** Version 4 tells first, in a number of any length, how much of the name before goes. */
function endOfName(bytes: Buffer, nameAt: number, version: number): number {
  let at = nameAt;
  if (version >= 4) {
    while (at < bytes.length && ((bytes[at] ?? 0) & 0x80) !== 0) at += 1;
    at += 1;
  }
  return bytes.indexOf(0, at);
}
