/**
 * The text of bytes in UTF-16 with a byte order mark, as Windows writes it; null for any other bytes, for an
 * odd number of them, and for a mark alone.
 */
export function utf16Text(bytes: Uint8Array): string | null {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null;
  const wide = wideEncoding(bytes);
  return wide === null ? null : new TextDecoder(wide).decode(bytes);
}

/** The bytes of a text in UTF-8, where they begin with a mark of UTF-16; else the bytes as they are. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const wide = wideEncoding(bytes);
  return wide === null ? bytes : new TextEncoder().encode(new TextDecoder(wide).decode(bytes));
}

/**
 * Reads text from bytes piece by piece: UTF-16 where the first begin with its mark, else UTF-8. Without
 * bytes it gives what is left at the end.
 */
export function openTextDecoder(): (bytes?: Uint8Array) => string {
  const open = (head: Uint8Array) => {
    const wide = wideEncoding(head);
    return new TextDecoder(wide ?? "utf-8", { ignoreBOM: wide === null });
  };
  let decoder: ReturnType<typeof open> | null = null;
  return (bytes) => {
    decoder ??= open(bytes ?? new Uint8Array());
    return decoder.decode(bytes, { stream: bytes !== undefined });
  };
}

/** The text of bytes: UTF-16 where they begin with its mark, else UTF-8. */
export function textOfBytes(bytes: Uint8Array): string {
  const decode = openTextDecoder();
  return decode(bytes) + decode();
}

/** The encoding that a byte order mark of UTF-16 tells; null where none stands there. */
function wideEncoding([first, second, third, fourth]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Four bytes that begin so are UTF-32.
  return first === 0xff && second === 0xfe && !(third === 0 && fourth === 0) ? "utf-16le" : null;
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
