import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";

/** The part of a file to read: from which line (1 is the first), and the most lines and bytes. */
export type ExcerptRequest = {
  readonly from: number;
  readonly maxLines: number | undefined;
  readonly maxBytes: number;
};

/** Part of a file as text. `to` is its last line; `next` is the line to continue with, null at the end; `lines` is how many the file has, null if it was not read to its end. */
export type Excerpt =
  | { readonly kind: "binary"; readonly size: number }
  | {
      readonly kind: "text";
      readonly size: number;
      readonly text: string;
      readonly to: number;
      readonly next: number | null;
      readonly lines: number | null;
      readonly notes: readonly string[];
    };

const chunkSize = 256 * 1024;
const newline = 10;

/** Reads lines of a file of any size without loading more than the requested part. A file with a NUL byte near its start is binary. */
export async function readExcerpt(
  handle: FileHandle,
  wanted: ExcerptRequest,
  cancel: AbortSignal,
): Promise<Excerpt> {
  const { size } = await handle.stat();
  const room = Buffer.alloc(chunkSize);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let toSkip = wanted.from - 1;
  let position = 0;
  let isWhole = false;
  while (keptBytes <= wanted.maxBytes) {
    cancel.throwIfAborted();
    const { bytesRead } = await handle.read(room, 0, chunkSize, position);
    isWhole = bytesRead === 0;
    if (isWhole) break;
    const chunk = room.subarray(0, bytesRead);
    if (position === 0 && chunk.subarray(0, 8192).includes(0)) return { kind: "binary", size };
    position += bytesRead;
    const skipped = skipLines(chunk, toSkip);
    toSkip = skipped.left;
    const rest = Buffer.from(chunk.subarray(skipped.bytes));
    if (toSkip === 0 && rest.length > 0) {
      kept.push(rest);
      keptBytes += rest.length;
    }
  }
  const bytes = Buffer.concat(kept);
  const read = wanted.from - 1 - toSkip + countLines(bytes);
  return excerpt(bytes, wanted, { size, lines: isWhole ? read : null });
}

/** Some lines of a file that was read whole. */
export function excerptOf(bytes: Uint8Array, wanted: ExcerptRequest): Excerpt {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (whole.subarray(0, 8192).includes(0)) return { kind: "binary", size: whole.length };
  const rest = whole.subarray(skipLines(whole, wanted.from - 1).bytes);
  return excerpt(rest, wanted, { size: whole.length, lines: countLines(whole) });
}

function skipLines(chunk: Buffer, lines: number): { readonly left: number; readonly bytes: number } {
  let left = lines;
  let bytes = 0;
  while (left > 0) {
    const end = chunk.indexOf(newline, bytes);
    if (end === -1) return { left, bytes: chunk.length };
    bytes = end + 1;
    left -= 1;
  }
  return { left, bytes };
}

type Whole = { readonly size: number; readonly lines: number | null };

function excerpt(rest: Buffer, { from, maxLines, maxBytes }: ExcerptRequest, whole: Whole): Excerpt {
  const kept = maxLines === undefined ? rest : rest.subarray(0, skipLines(rest, maxLines).bytes);
  const fits = kept.length <= maxBytes;
  const end = fits ? kept.length : kept.lastIndexOf(newline, maxBytes - 1) + 1;
  const midLine = end === 0 && !fits;
  const bytes = kept.subarray(0, midLine ? characterEnd(kept, maxBytes) : end);
  const lines = countLines(bytes);
  const notes = [
    ...(isUtf8(bytes)
      ? []
      : ["Some bytes are not UTF-8. Each is shown as � here and is unchanged in the file."]),
    ...(midLine ? [`Line ${from} is longer than ${maxBytes} bytes and is cut.`] : []),
  ];
  const isAll = fits && kept.length === rest.length;
  const next = isAll ? null : midLine ? from + 1 : from + lines;
  const to = from + Math.max(0, lines - 1);
  return { kind: "text", ...whole, text: bytes.toString("utf8"), to, next, notes };
}

function characterEnd(bytes: Buffer, end: number): number {
  let at = end;
  while (at > end - 4 && at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return bytes.length > 0 && bytes[bytes.length - 1] !== newline ? lines + 1 : lines;
}
