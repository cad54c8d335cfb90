/** The byte order marks of Unicode (WHATWG Encoding, 6). */
const byteOrderMarks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The first bytes, in which a page names its encoding. The standard says 1,024; real pages are later. */
const prescanned = 4096;

/**
 * Decodes a text by its byte order mark, else the charset of its content type, else the one that it names itself (`<meta charset>`, `<?xml encoding?>`).
 * Without any of them it is UTF-8 if it is valid, else Windows-1252, as in browsers (WHATWG Encoding).
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const declared =
    byteOrderMark(bytes) ??
    known(charsetOf(contentType)) ??
    (isMarkup(contentType) ? ownCharset(bytes) : null);
  if (declared !== null) return new TextDecoder(declared).decode(bytes);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : new TextDecoder("windows-1252").decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | null {
  const found = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  return found?.[0] ?? null;
}

function charsetOf(contentType: string): string {
  return /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? "";
}

function isMarkup(contentType: string): boolean {
  return /html|xml/i.test(contentType);
}

function ownCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder("windows-1252")
    .decode(bytes.subarray(0, prescanned))
    .replace(/<!--.*?(?:-->|$)/gs, "");
  const xml = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start)?.[1];
  const meta = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1];
  const encoding = known(meta ?? xml ?? "");
  // A declaration that could be read byte by byte is not UTF-16 (HTML, 13.2.3.2).
  return encoding?.startsWith("utf-16") === true ? "utf-8" : encoding;
}

/** The name of an encoding that this machine decodes, or null. */
function known(label: string): string | null {
  try {
    return label === "" ? null : new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether bytes are UTF-8. The last character may be cut off if another one beyond ASCII is whole. */
function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const whole = decoder.decode(bytes, { stream: true });
    if (/[^\0-\x7f]/.test(whole)) return true;
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
