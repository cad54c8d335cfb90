import { decodeOrgText } from "#org";
import type { NotesFolders } from "./folder/notes-folders.ts";
import { readNoteAtOnce } from "./folder/read-note-file.ts";

/** Converts an offset in a file from UTF-16 units to code points, as Emacs counts. */
export type CodePointOffset = (file: string, offset: number) => number;

/** Makes a converter over the texts of files; each text is asked for once. Where there is no text, each unit is a code point. */
export function codePointOffsets(textOf: (file: string) => string | null): CodePointOffset {
  const texts = new Map<string, string | null>();
  return (file, offset) => {
    let text = texts.get(file);
    if (text === undefined) {
      const whole = textOf(file);
      text = whole !== null && /[\ud800-\udbff]/.test(whole) ? whole : null;
      texts.set(file, text);
    }
    return text === null ? offset : Array.from(text.slice(0, offset)).length;
  };
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
