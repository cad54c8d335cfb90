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

function decodeUtf8(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes("\uFFFD") || areEqual(encoder.encode(text), bytes)) return text;
  let decoded = "";
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    decoded += `${decoder.decode(bytes.subarray(from, at))}${String.fromCharCode(0xdc00 + (bytes[at] ?? 0))}`;
    at += 1;
    from = at;
  }
  return decoded + decoder.decode(bytes.subarray(from));
}

/** How many bytes the character at an offset takes; 0 where no valid one begins there. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const sequence = bytes.subarray(at, at + length);
  return areEqual(encoder.encode(decoder.decode(sequence)), sequence) ? length : 0;
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
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
