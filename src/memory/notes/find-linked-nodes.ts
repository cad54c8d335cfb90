import { resolve } from "node:path";
import { linksByEntry, type OrgLink, scanOutline } from "#org";
import type { NoteNode } from "../../notes/note-node.ts";
import { noteName } from "./folder/notes-folders.ts";
import type { Notes } from "./open-notes.ts";

/** A text with more links is about none of its notes. */
const mostLinks = 50;

/** Finds the nodes that a text links to, by ID, Denote's identifier or file. `folders`: where a relative path may begin; the first with such a note counts. */
export async function findLinkedNodes(
  notes: Pick<Notes, "index" | "place">,
  text: string,
  { folders, home }: { readonly folders: readonly string[]; readonly home: string },
): Promise<readonly NoteNode[]> {
  const links = [...linksByEntry(scanOutline(text)).values()].flat();
  if (links.length > mostLinks) return [];
  const nodes: NoteNode[] = [];
  for (const link of links) {
    const node =
      link.type === "file"
        ? await nodeInFile(notes, link, { folders, home })
        : link.type === "id" || link.type === "denote"
          ? await notes.index.resolveId(link.target)
          : null;
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

/** The heading that the link names behind `::`, else the file. */
async function nodeInFile(
  { index, place }: Pick<Notes, "index" | "place">,
  { target, search }: OrgLink,
  { folders, home }: { readonly folders: readonly string[]; readonly home: string },
): Promise<NoteNode | null> {
  for (const folder of folders) {
    const path = resolve(folder, target.replace(/^~(?=\/|$)/, home));
    const nodes = await index.nodesInFile(noteName(place, path));
    if (nodes.length === 0) continue;
    const named = nodes.find(
      ({ level, title, properties }) =>
        level > 0 && (search === `*${title}` || search === `#${properties["CUSTOM_ID"]}`),
    );
    return named ?? nodes.find(({ level }) => level === 0) ?? null;
  }
  return null;
}
