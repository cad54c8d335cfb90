import { isUtf8 } from "node:buffer";
import type { BufferText, Replacement } from "../../signal/editor-buffer.ts";
import { changedLines, linesOf } from "../../text/diff/changed-lines.ts";

const mark = "\ufeff";

/** The bytes that a buffer would be saved as. */
export function bytesOfBuffer({ text, eol, bom }: BufferText): Uint8Array {
  const lines = eol === "crlf" ? text.replaceAll("\n", "\r\n") : text;
  return new TextEncoder().encode((bom ? mark : "") + lines);
}

/**
 * The text that a buffer would have to hold to be saved as these bytes; null where it cannot be saved as
 * them.
 */
export function bufferTextOf(
  bytes: Uint8Array,
  { eol, bom }: Pick<BufferText, "eol" | "bom">,
): string | null {
  if (!isUtf8(bytes)) return null;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const lines = bom && whole.startsWith(mark) ? whole.slice(1) : whole;
  const text = eol === "crlf" ? lines.replaceAll("\r\n", "\n") : lines;
  return Buffer.compare(bytesOfBuffer({ text, eol, bom }), bytes) === 0 ? text : null;
}

/** The replacements that make one text of another: as few characters as its changed lines allow. */
export function replacementsBetween(before: string, after: string): readonly Replacement[] {
  const [old, made] = [linesOf(before), linesOf(after)];
  const replacements: Replacement[] = [];
  let [line, place] = [0, 0];
  for (const { from, to, newFrom, newTo } of changedLines(old, made)) {
    place += lengthOf(old.slice(line, from).join(""));
    const was = old.slice(from, to).join("");
    replacements.push(trimmed(place, was, made.slice(newFrom, newTo).join("")));
    place += lengthOf(was);
    line = to;
  }
  return replacements;
}

/** Code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** A replacement at a place without what both texts begin and end with. */
function trimmed(place: number, was: string, becomes: string): Replacement {
  const [old, made] = [[...was], [...becomes]];
  const most = Math.min(old.length, made.length);
  let same = 0;
  while (same < most && old[same] === made[same]) same += 1;
  let tail = 0;
  while (tail < most - same && old.at(-1 - tail) === made.at(-1 - tail)) tail += 1;
  return {
    begin: place + same,
    end: place + old.length - tail,
    text: made.slice(same, made.length - tail).join(""),
  };
}
