import { decodeOrgText } from "#org";
import type { NoteStat } from "../../notes/note-node.ts";
import { outlineOf } from "../../notes/parse-note-file.ts";
import { type UnknownTodoWord, UnknownTodoWords } from "../../notes/unknown-todo-words.ts";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { type NotesPlace, openSetupFiles } from "./folder/setup-files.ts";

/** Bytes of notes that are read: enough to learn how somebody writes. */
const mostBytes = 50_000_000;

/** What the texts of notes leave unknown. */
export type UnknownInNotes = {
  /** The words that notes use as TODO words, though neither a setting nor the file knows them. */
  readonly words: readonly UnknownTodoWord[];
  /** The notes whose setup files cannot be read, so that nobody knows their tags, and why. */
  readonly setups: readonly { readonly path: string; readonly problem: string }[];
};

/** Reads notes for what they use and nobody knows. */
export async function findUnknownInNotes(
  place: NotesPlace,
  files: Iterable<NoteStat>,
): Promise<UnknownInNotes> {
  const setups: { path: string; problem: string }[] = [];
  const words = new UnknownTodoWords();
  let bytes = 0;
  for (const seen of files) {
    bytes += seen.size;
    if (bytes > mostBytes) break;
    const read = await readNoteBytes(place, seen);
    if (read.kind !== "read" || read.bytes.includes(0)) continue;
    const setup = openSetupFiles(place, seen.path);
    words.add(outlineOf(seen.path, decodeOrgText(read.bytes).text, setup));
    const problem = setup.problem();
    if (problem !== null) setups.push({ path: seen.path, problem });
  }
  return { words: words.found(), setups };
}
