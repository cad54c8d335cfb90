/** The text of a name in a folder. A name that is not UTF-8 has half a surrogate for each byte beyond ASCII: no other name has that text, and `bytesOfPath` gives its bytes back. */
export function textOfName(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (Buffer.from(text).equals(bytes)) return text;
  return [...bytes].map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join("");
}

/** A path for the file system: as it is, or the bytes of one with names that are not UTF-8. */
export function bytesOfPath(path: string): string | Buffer {
  if (path.isWellFormed()) return path;
  const pieces = path
    .split(/([\udc80-\udcff]+)/u)
    .map((piece, index) =>
      index % 2 === 0
        ? Buffer.from(piece)
        : Buffer.from([...piece].map((half) => half.charCodeAt(0) - 0xdc00)),
    );
  return Buffer.concat(pieces);
}
