/**
 * What stands in an index of which another file has a part (gitformat-index(5), "Split index"): the hash of
 * that file, and which of its entries go and which others take their place.
 */
export type Link = {
  readonly shared: string;
  readonly deleted: ReadonlySet<number>;
  readonly replaced: ReadonlySet<number>;
};

/** Reads the extension `link`, without its header. Null where it is none. */
export function readLink(bytes: Buffer, idBytes: number): Link | null {
  const shared = bytes.toString("hex", 0, idBytes);
  if (bytes.length === idBytes) return { shared, deleted: new Set(), replaced: new Set() };
  try {
    const deleted = readBits(bytes, idBytes);
    const replaced = readBits(bytes, deleted.end);
    return { shared, deleted: deleted.set, replaced: replaced.set };
  } catch (fault) {
    if (fault instanceof RangeError) return null;
    throw fault;
  }
}

/** An index that is read has fewer entries. */
const mostBits = 2_000_000;

/**
 * The positions of the bits that are set in a compressed bitmap (EWAH, gitformat-bitmap(5)): how many bits
 * and words there are, the words, and where the last marker is. A marker says of how many words all bits are
 * alike, and how many follow as they are.
 */
function readBits(bytes: Buffer, start: number): { readonly set: ReadonlySet<number>; readonly end: number } {
  const [bits, words] = [bytes.readUInt32BE(start), bytes.readUInt32BE(start + 4)];
  const end = start + 8 + words * 8;
  const set = new Set<number>();
  let position = 0;
  for (let at = start + 8; at < end; at += 8) {
    const marker = bytes.readBigUInt64BE(at);
    const alike = Number((marker >> 1n) & 0xffffffffn) * 64;
    if (position + alike > mostBits) throw new RangeError("too many bits");
    if ((marker & 1n) === 1n) for (let bit = 0; bit < alike; bit += 1) set.add(position + bit);
    position += alike;
    for (let left = Number(marker >> 33n); left > 0; left -= 1) {
      at += 8;
      const word = bytes.readBigUInt64BE(at);
      for (let bit = 0n; bit < 64n; bit += 1n)
        if (((word >> bit) & 1n) === 1n) set.add(position + Number(bit));
      position += 64;
    }
  }
  return { set: new Set([...set].filter((bit) => bit < bits)), end: end + 4 };
}

/**
 * The files that two parts of an index list together. Entries without a name are first, and take the places
 * that are said to be replaced, in their order.
 */
export function joinParts<File extends { readonly name: string }>(
  own: readonly File[],
  shared: readonly File[],
  { deleted, replaced }: Link,
): readonly File[] {
  const places = [...replaced].toSorted((one, other) => one - other);
  const found = new Map<string, File>();
  for (const [at, file] of shared.entries()) if (!deleted.has(at)) found.set(file.name, file);
  for (const [at, file] of own.entries()) {
    const name = file.name === "" ? shared[places[at] ?? -1]?.name : file.name;
    if (name !== undefined) found.set(name, { ...file, name });
  }
  return [...found.values()];
}
