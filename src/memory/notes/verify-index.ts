import { readContents } from "./contents-of-note.ts";
import { rootOf } from "./note-hashes.ts";
import type { NoteIndex } from "./note-index.ts";
import type { NoteNode } from "./note-node.ts";
import { readNoteBytes } from "./read-note-file.ts";
import { lookAtNote } from "./walk-notes.ts";

/** How many differences are told. */
const mostTold = 20;

/** Reads every indexed file anew and says what is otherwise in the index, in words; empty if nothing is. */
export async function verifyIndex({
  folder,
  index,
}: {
  readonly folder: string;
  readonly index: NoteIndex;
}): Promise<readonly string[]> {
  const differences: string[] = [];
  const files = await index.files();
  for (const file of files) {
    if (differences.length >= mostTold) break;
    const found = lookAtNote(folder, file.path);
    const read = found === null ? null : readNoteBytes(folder, found);
    if (read === null || read.kind === "gone") {
      differences.push(`${file.path} is in the index, and is not there`);
    } else if (read.kind === "read" && read.digest !== file.digest) {
      differences.push(`${file.path} is another than the one that was indexed`);
    } else if (read.kind === "read") {
      const wanted = readContents(read.found, read.bytes, read.digest).nodes.map(({ node }) => node);
      if (!isSame(await index.nodesOf(file.path), wanted)) {
        differences.push(`${file.path} has other nodes than the index`);
      }
    }
  }
  if ((await index.root()) !== rootOf(files))
    differences.push("the root of the notes is not that of their files");
  return differences.map((difference) => `${difference}. passepartout memory rebuild makes the index anew.`);
}

/** Ids are left out: they depend on other files. */
function isSame(kept: readonly NoteNode[], wanted: readonly NoteNode[]): boolean {
  const print = ({ hash, words, begin, lineEnd, sectionEnd, end, title, tags, todo }: NoteNode): string =>
    JSON.stringify([hash, words, begin, lineEnd, sectionEnd, end, title.toWellFormed(), tags, todo]);
  return kept.length === wanted.length && kept.every((node, at) => print(node) === print(wanted[at] ?? node));
}
