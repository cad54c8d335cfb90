import { decodeOrgText } from "#org";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { statNote } from "./folder/walk-notes.ts";
import type { NoteIndex } from "./index/note-index.ts";
import type { NoteNode } from "./nodes/note-node.ts";

type TextParts = {
  readonly folder: string;
  readonly index: NoteIndex;
  readonly sync: (paths: readonly string[] | null) => Promise<void>;
};

/**
 * The own text of nodes from their files, by their ids. A file whose bytes are not those that were indexed is indexed first, and the node is looked up
 * anew: what is given is always the text of that node. A secret node has no text here.
 */
export async function readTexts(
  parts: TextParts,
  nodes: readonly NoteNode[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [path, inFile] of Map.groupBy(nodes, ({ file }) => file)) {
    const shown = inFile.filter(({ label }) => label.secrecy !== "secret");
    const text = await currentText(parts, path);
    if (text !== null) {
      for (const node of shown) texts.set(node.id, ownText(text, node));
      continue;
    }
    await parts.sync([path]);
    const anew = await currentText(parts, path);
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

/** The text of a file if it is the one that was indexed. */
async function currentText({ folder, index }: TextParts, path: string): Promise<string | null> {
  const [known, found] = [await index.file(path), statNote(folder, path)];
  if (known === null || found === null) return null;
  const read = readNoteBytes(folder, found);
  return read.kind === "read" && read.digest === known.digest ? decodeOrgText(read.bytes).text : null;
}
