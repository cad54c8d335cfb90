import { merkleRoot } from "../../notes/note-hashes.ts";
import type { NoteNode } from "../../notes/note-node.ts";
import { parseNoteFile } from "../../notes/parse-note-file.ts";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { type NotesPlace, openSetupFiles } from "./folder/setup-files.ts";
import { statNote } from "./folder/walk-notes.ts";
import type { NoteIndex } from "./index/note-index.ts";
import type { LabelledIndex } from "./labels/labelled-index.ts";
import type { SyncProgress } from "./sync/sync-notes.ts";

/** How many differences are reported. */
const mostReported = 20;

/** The notes, with what of them cannot be read because their folder is gone. */
type VerifiableNotes = {
  readonly place: NotesPlace;
  readonly index: NoteIndex;
  readonly isLost?: (file: string) => boolean;
};

/**
 * Reads every indexed file again and describes the differences from the index; empty if there are none.
 * `progress` hears how many files are done.
 */
export async function verifyIndex(
  { place, index, isLost = () => false }: VerifiableNotes,
  progress: (so: SyncProgress) => void,
): Promise<readonly string[]> {
  const differences: string[] = [];
  const files = await index.files();
  for (const [done, file] of files.entries()) {
    if (differences.length >= mostReported) break;
    progress({ done, of: files.length });
    const found = await statNote(place, file.path);
    const read = found === null ? null : await readNoteBytes(place, found);
    if (read === null || read.kind === "gone") {
      if (!isLost(file.path)) differences.push(`${file.path} is in the index but no longer exists`);
    } else if (read.kind === "read" && read.digest !== file.digest) {
      differences.push(`${file.path} has changed since it was indexed`);
    } else if (read.kind === "read") {
      const wanted = parseNoteFile(read, openSetupFiles(place, file.path)).nodes.map(({ node }) => node);
      if (!isSame(await index.nodesInFile(file.path), wanted)) {
        differences.push(`${file.path} has other nodes than the index has`);
      }
    }
  }
  if ((await index.root()) !== merkleRoot(files))
    differences.push("the root hash of the index does not match its files");
  return differences.map(
    (difference) => `${difference}. Rebuild the index with: passepartout memory rebuild`,
  );
}

/** Describes the `:ID:`s that several nodes have, and which node each one means. */
export async function findDuplicateIds(index: LabelledIndex): Promise<readonly string[]> {
  const byId = new Map<string, { readonly id: string; readonly place: string }[]>();
  for await (const { id, file, title, properties } of index.all()) {
    const claimed = properties["ID"];
    if (claimed === undefined) continue;
    const known = byId.get(claimed);
    const found = { id, place: `${file} (${title})` };
    if (known === undefined) byId.set(claimed, [found]);
    else known.push(found);
  }
  const reports: string[] = [];
  for (const [claimed, all] of byId) {
    const holder = all.length < 2 || reports.length === mostReported ? null : await index.resolveId(claimed);
    if (holder === null) continue;
    const others = all.filter(({ id }) => id !== holder.id).map(({ place }) => place);
    const also = others.slice(0, mostReported).join(", ");
    reports.push(
      `The ID ${claimed} means ${holder.file} (${holder.title}), and is in ${also} too. Give the other an ID of its own.`,
    );
  }
  return reports;
}

/** IDs are left out, because they depend on other files. */
function isSame(kept: readonly NoteNode[], wanted: readonly NoteNode[]): boolean {
  const print = ({ hash, words, begin, lineEnd, sectionEnd, end, title, tags, todo }: NoteNode): string =>
    JSON.stringify([hash, words, begin, lineEnd, sectionEnd, end, title.toWellFormed(), tags, todo]);
  return kept.length === wanted.length && kept.every((node, at) => print(node) === print(wanted[at] ?? node));
}
