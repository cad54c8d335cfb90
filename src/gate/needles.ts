/** The texts that stand for the configured keys in a search. They are made once for all searches. */
export type Needles = { readonly texts: readonly string[] };

/** Makes the needles of the configured keys: each key as it is, percent-encoded, and as it appears inside base64 at any alignment. Keys under 8 characters are ignored, because they would match everywhere. */
export function makeNeedles(keys: readonly string[]): Needles {
  const whole = keys.flatMap((key) => [key, key.trim()]).filter((key) => key.trim().length >= 8);
  const texts = [...new Set(whole.flatMap(variants))];
  return { texts: texts.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)) };
}

function variants(key: string): readonly string[] {
  const bytes = utf8(key);
  const encoded = bytes
    .map((byte) => (unreserved.test(String.fromCodePoint(byte)) ? String.fromCodePoint(byte) : percent(byte)))
    .join("");
  const standard = [0, 1, 2].map((shift) => base64Middle(bytes, shift));
  const web = standard.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [key, encoded, encoded.replaceAll(/%../g, (code) => code.toLowerCase()), ...standard, ...web];
}

/** The base64 characters that depend on these bytes alone, with `shift` bytes before them in their group of three. */
function base64Middle(bytes: readonly number[], shift: number): string {
  const padded = [...Array.from({ length: shift }, () => 0), ...bytes];
  const bits = padded.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(bits.length / 6);
  const digits = Array.from({ length: last - first }, (_, index) =>
    bits.slice((first + index) * 6, (first + index + 1) * 6),
  );
  return digits.map((digit) => alphabet[Number.parseInt(digit, 2)]).join("");
}

function utf8(text: string): readonly number[] {
  return [...text].flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return [code];
    if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
    if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  });
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

const unreserved = /^[A-Za-z0-9_.~-]$/;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
