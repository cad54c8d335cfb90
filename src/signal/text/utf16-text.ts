/**
 * The text of bytes in UTF-16 with a byte order mark, as Windows writes it; null for any other bytes, for an
 * odd number of them, and for a mark alone.
 */
export function utf16Text(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null;
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // Four bytes that begin so are UTF-32.
  const isLittle = first === 0xff && second === 0xfe && !(third === 0 && fourth === 0);
  return isLittle ? new TextDecoder("utf-16le").decode(bytes) : null;
}

/** The bytes of a text in UTF-8, where they are UTF-16 with a mark; else the bytes as they are. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const text = utf16Text(bytes);
  return text === null ? bytes : new TextEncoder().encode(text);
}

/**
 * The bytes of a text in UTF-8 as they stand in a file: in UTF-16 with a mark where the file has that before;
 * else as they are.
 */
export function asStoredIn(file: Uint8Array, bytes: Uint8Array): Uint8Array {
  return utf16Text(file) === null ? bytes : inUtf16(file, Buffer.from(bytes).toString());
}

/** Whether bytes are UTF-16 with a mark, each of which comes back from their text. */
export function isUtf16(bytes: Uint8Array): boolean {
  const text = utf16Text(bytes);
  return text !== null && Buffer.from(bytes).equals(inUtf16(bytes, text));
}

/** A text with a mark; the mark of `like` tells the order of the bytes. */
function inUtf16(like: Uint8Array, text: string): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return like[0] === 0xfe ? bytes.swap16() : bytes;
}
