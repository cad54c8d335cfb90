import { decodeOrgText } from "#org";
import type { NotesFolders } from "./folder/notes-folders.ts";
import { readNoteAtOnce } from "./folder/read-note-file.ts";

/** Converts an offset in a file from UTF-16 units to code points, as Emacs counts. */
export type CodePointOffset = (file: string, offset: number) => number;

/**
 * Makes a converter over the texts of files; each text is asked for and read through once. Where there is no
 * text, each unit is a code point.
 */
export function codePointOffsets(textOf: (file: string) => string | null): CodePointOffset {
  const pairsOf = new Map<string, readonly number[]>();
  return (file, offset) => {
    let pairs = pairsOf.get(file);
    if (pairs === undefined) {
      pairs = Array.from((textOf(file) ?? "").matchAll(surrogatePair), ({ index }) => index + 2);
      pairsOf.set(file, pairs);
    }
    return offset - countUpTo(pairs, offset);
  };
}

/** A character of two UTF-16 units. */
const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/g;

/** How many of these numbers, which increase, are not greater than a limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Makes a converter over the files of the notes. A file is read when it is first asked for. */
export function offsetsInNotes(place: NotesFolders): CodePointOffset {
  return codePointOffsets((file) => {
    const bytes = readNoteAtOnce(place, file);
    return bytes !== null && hasAstralCharacters(bytes) ? decodeOrgText(bytes).text : null;
  });
}

/** True for UTF-8 with characters of two UTF-16 units: only there do units and code points differ. */
function hasAstralCharacters(bytes: Uint8Array): boolean {
  return [0xf0, 0xf1, 0xf2, 0xf3, 0xf4].some((first) => bytes.includes(first));
}
