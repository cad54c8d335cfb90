import { decodeOrgText } from "#org";
import type { NoteNode } from "../../notes/note-node.ts";
import type { NotesFolders } from "./folder/notes-folders.ts";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { statNote } from "./folder/walk-notes.ts";
import type { NoteIndex } from "./index/note-index.ts";

type IndexedFiles = NotesFolders & { readonly index: Pick<NoteIndex, "file"> };

type TextParts = IndexedFiles & {
  readonly index: NoteIndex;
  readonly sync: (paths: readonly string[] | null) => Promise<void>;
};

/**
 * Reads the own text of nodes from their files, by ID. A file that changed since it was indexed is indexed first, and its nodes are looked up
 * again, so a text always belongs to its node. Secret nodes have no text here.
 */
export async function readTexts(
  parts: TextParts,
  nodes: readonly NoteNode[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [path, inFile] of Map.groupBy(nodes, ({ file }) => file)) {
    const shown = inFile.filter(({ label }) => label.secrecy !== "secret");
    const text = await readIndexedText(parts, path);
    if (text !== null) {
      for (const node of shown) texts.set(node.id, ownText(text, node));
      continue;
    }
    await parts.sync([path]);
    const anew = await readIndexedText(parts, path);
    if (anew === null) continue;
    for (const { id } of shown) {
      const node = await parts.index.node(id);
      if (node !== null && node.file === path && node.label.secrecy !== "secret") {
        texts.set(id, ownText(anew, node));
      }
    }
  }
  return texts;
}

function ownText(text: string, { begin, sectionEnd }: NoteNode): string {
  return text.slice(begin, sectionEnd);
}

/** The text of a file if it has not changed since it was indexed; null otherwise. */
export async function readIndexedText(files: IndexedFiles, path: string): Promise<string | null> {
  const [known, found] = [await files.index.file(path), await statNote(files, path)];
  if (known === null || found === null) return null;
  const read = await readNoteBytes(files, found);
  return read.kind === "read" && read.digest === known.digest ? decodeOrgText(read.bytes).text : null;
}
