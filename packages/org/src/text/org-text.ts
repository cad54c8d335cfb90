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
export function encodeOrgText({ text, eol, bom }: OrgText): Buffer {
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

function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  if (!text.includes("\uFFFD") || Buffer.from(text, "utf8").equals(buffer)) return text;
  let decoded = "";
  let from = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    decoded += `${buffer.toString("utf8", from, at)}${String.fromCharCode(0xdc00 + (buffer[at] ?? 0))}`;
    at += 1;
    from = at;
  }
  return decoded + buffer.toString("utf8", from);
}

/** How many bytes the character at an offset takes; 0 where no valid one begins there. */
function sequenceLength(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > buffer.length) return 0;
  const bytes = buffer.subarray(at, at + length);
  return Buffer.from(bytes.toString("utf8"), "utf8").equals(bytes) ? length : 0;
}

function encodeUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  const parts: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/g)) {
    parts.push(Buffer.from(text.slice(from, index), "utf8"), Buffer.of(text.charCodeAt(index) - 0xdc00));
    from = index + 1;
  }
  parts.push(Buffer.from(text.slice(from), "utf8"));
  return Buffer.concat(parts);
}
