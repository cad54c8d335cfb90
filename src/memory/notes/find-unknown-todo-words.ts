import { decodeOrgText } from "#org";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { type NotesPlace, openSetupFiles } from "./folder/setup-files.ts";
import type { NoteStat } from "./nodes/note-node.ts";
import { outlineOf } from "./nodes/parse-note-file.ts";
import { type UnknownTodoWord, UnknownTodoWords } from "./nodes/unknown-todo-words.ts";

/** Bytes of notes that are read: enough to learn how somebody writes. */
const mostBytes = 50_000_000;

/** Finds the words that notes use as TODO words, though neither a setting nor the file knows them. */
export async function findUnknownTodoWords(
  place: NotesPlace,
  files: Iterable<NoteStat>,
): Promise<readonly UnknownTodoWord[]> {
  const words = new UnknownTodoWords();
  let bytes = 0;
  for (const seen of files) {
    bytes += seen.size;
    if (bytes > mostBytes) break;
    const read = await readNoteBytes(place, seen);
    if (read.kind !== "read" || read.bytes.includes(0)) continue;
    words.add(outlineOf(seen.path, decodeOrgText(read.bytes).text, openSetupFiles(place, seen.path)));
  }
  return words.found();
}
