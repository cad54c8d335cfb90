import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { cutMiddle } from "../../text/cut-middle.ts";
import { asUtf8 } from "../../text/utf16-text.ts";

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

/** Some lines of a file that was read whole; one in UTF-16 with a mark is text, too. */
export function excerptOf(bytes: Uint8Array, wanted: ExcerptRequest): Excerpt {
  const readable = asUtf8(bytes);
  const whole = Buffer.from(readable.buffer, readable.byteOffset, readable.byteLength);
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

function excerpt(
  rest: Buffer,
  { from, maxLines = Infinity, maxBytes }: ExcerptRequest,
  whole: Whole,
): Excerpt {
  const shown: string[] = [];
  const long: number[] = [];
  let [at, size] = [0, 0];
  while (at < rest.length && shown.length < maxLines) {
    const end = rest.indexOf(newline, at);
    const isOpen = end === -1 && whole.lines === null;
    const line = rest.subarray(at, end === -1 ? rest.length : end + 1);
    const text = showLine(line.toString("utf8"), isOpen);
    const isFirst = shown.length === 0;
    if (!isFirst && (isOpen || size + Buffer.byteLength(text) > maxBytes)) break;
    if (isOpen || line.length > longestLine) long.push(from + shown.length);
    shown.push(text);
    size += Buffer.byteLength(text);
    at += line.length;
  }
  const notes = [
    ...(isUtf8(rest.subarray(0, at))
      ? []
      : ["Some bytes are not UTF-8. Each is shown as � here and is unchanged in the file."]),
    ...(long.length === 0 ? [] : [longLines(long)]),
  ];
  const isAll = at === rest.length && whole.lines !== null;
  const next = isAll ? null : from + shown.length;
  return {
    kind: "text",
    ...whole,
    text: shown.join(""),
    to: from + Math.max(0, shown.length - 1),
    next,
    notes,
  };
}

/** Bytes of a line that is shown whole. */
const longestLine = 4_000;

/** A line, or its head and tail where it is long; of one that was not read to its end the head. */
function showLine(line: string, isOpen: boolean): string {
  if (isOpen)
    return `${line.slice(0, longestLine / 2).toWellFormed()}[… the rest of this line is left out …]`;
  const end = line.endsWith("\n") ? "\n" : "";
  return line.length <= longestLine
    ? line
    : cutMiddle(line.trimEnd(), longestLine).replaceAll("\n", "") + end;
}

function longLines(lines: readonly number[]): string {
  const named = lines.slice(0, 5).join(", ") + (lines.length > 5 ? ", …" : "");
  return `Longer than ${longestLine} characters, and shown without the middle: line ${named}. The shell command cut -c shows any part of a line.`;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return bytes.length > 0 && bytes[bytes.length - 1] !== newline ? lines + 1 : lines;
}
