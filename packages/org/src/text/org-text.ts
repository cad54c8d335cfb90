/**
 * The text of an Org file as Emacs's buffer has it: without a byte order mark, and with bare line feeds where every line ended in CRLF.
 * A byte that is not UTF-8 is one lone surrogate U+DC80 to U+DCFF (128 to 255), as in Python's `surrogateescape`. Offsets everywhere in this
 * folder are UTF-16 offsets into `text`. `encodeOrgText(decodeOrgText(bytes))` is `bytes`, for every input.
 */
export type OrgText = { readonly text: string; readonly eol: "lf" | "crlf"; readonly bom: boolean };

const byteOrderMark = "\uFEFF";

/** Reads the bytes of a file. */
export function decodeOrgText(bytes: Uint8Array): OrgText {
  const whole = decodeUtf8(bytes);
  const bom = whole.startsWith(byteOrderMark);
  const text = bom ? whole.slice(1) : whole;
  if (!endsEveryLineInCrlf(text)) return { text, eol: "lf", bom };
  return { text: text.replaceAll("\r\n", "\n"), eol: "crlf", bom };
}

/** The bytes of a file. */
export function encodeOrgText({ text, eol, bom }: OrgText): Uint8Array<ArrayBuffer> {
  const lines = eol === "crlf" ? text.replaceAll("\n", "\r\n") : text;
  return encodeUtf8(bom ? byteOrderMark + lines : lines);
}

/** True for text of which some bytes were not UTF-8. */
export function hasRawBytes({ text }: OrgText): boolean {
  return !text.isWellFormed();
}

function endsEveryLineInCrlf(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] !== "\r") return false;
    lines += 1;
  }
  return lines > 0;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Where some bytes may not be UTF-8, each character is read by itself: a picture of some megabytes has a
 * million such bytes.
 */
function decodeUtf8(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes("\uFFFD")) return text;
  // No character takes more units than bytes.
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const point = length === 0 ? 0xdc00 + (bytes[at] ?? 0) : codePointAt(bytes, at, length);
    if (point < 0x10000) units[count++] = point;
    else {
      units[count++] = 0xd7c0 + (point >> 10);
      units[count++] = 0xdc00 + (point & 0x3ff);
    }
    at += Math.max(1, length);
  }
  return textOf(units.subarray(0, count));
}

/** How many bytes the character at an offset takes; 0 where no valid one begins there. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > most) return 0;
  for (let next = 2; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] ?? 0) & (length === 1 ? 0x7f : 0xff >> (length + 1));
  for (let next = 1; next < length; next += 1) point = (point << 6) | ((bytes[at + next] ?? 0) & 0x3f);
  return point;
}

/** Code units that are made into text at once: all are arguments of one call. */
const unitsAtOnce = 8_192;

function textOf(units: Uint16Array): string {
  let text = "";
  for (let from = 0; from < units.length; from += unitsAtOnce)
    text += Reflect.apply(String.fromCharCode, null, units.subarray(from, from + unitsAtOnce));
  return text;
}

function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (text.isWellFormed()) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/g)) {
    parts.push(encoder.encode(text.slice(from, index)), Uint8Array.of(text.charCodeAt(index) - 0xdc00));
    from = index + 1;
  }
  parts.push(encoder.encode(text.slice(from)));
  return joinBytes(parts);
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
