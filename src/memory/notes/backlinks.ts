import { mapInSlices } from "../../machine/yield-to-event-loop.ts";
import { readDenoteName } from "../../notes/denote-name.ts";
import type { NoteLink, NoteNode } from "../../notes/note-node.ts";
import type { Notes } from "./open-notes.ts";

/** A node that links to another one. */
export type Backlink = {
  readonly node: NoteNode;
  /** The line of the first such link; empty where the text could not be read. */
  readonly line: string;
};

/** A line longer than this (UTF-16 units) is cut. */
const longestLine = 300;

/** Finds the nodes that link to an `:ID:`, each once, by file, then in the order of the text. Links in secret text are not indexed. */
export async function findBacklinks(
  notes: Pick<Notes, "index" | "texts">,
  id: string,
): Promise<readonly Backlink[]> {
  const nodes = await findLinkingNodes(notes, id);
  const begins = new Map<string, number>();
  for (const { node, begin } of await linksTo(notes, id)) {
    begins.set(node, Math.min(begin, begins.get(node) ?? begin));
  }
  const texts = await notes.texts(nodes);
  return mapInSlices(nodes, (node) => ({
    node,
    line: lineAt(texts.get(node.id) ?? "", begins.get(node.id) ?? 0),
  }));
}

/** The nodes of the backlinks, without their text. */
export async function findLinkingNodes(
  notes: Pick<Notes, "index">,
  id: string,
): Promise<readonly NoteNode[]> {
  const ids = new Set((await linksTo(notes, id)).map(({ node }) => node));
  const nodes = await mapInSlices(ids, (linking) => notes.index.node(linking));
  return nodes
    .filter((node) => node !== null)
    .toSorted((one, other) =>
      one.file < other.file ? -1 : one.file > other.file ? 1 : one.begin - other.begin,
    );
}

/** The links to a node, by its ID and by the identifier that Denote gives its file. */
async function linksTo({ index }: Pick<Notes, "index">, id: string): Promise<readonly NoteLink[]> {
  const node = await index.resolveId(id);
  const identifier = node?.level === 0 ? readDenoteName(node.file)?.id : undefined;
  const names = new Set([id, node?.id ?? id, identifier ?? id]);
  const found = [...names].flatMap((name) => [index.linksTo("id", name), index.linksTo("denote", name)]);
  return (await Promise.all(found)).flat();
}

function lineAt(text: string, offset: number): string {
  const begin = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(offset === 0 ? 0 : begin, end === -1 ? text.length : end).trim();
  return line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line;
}
