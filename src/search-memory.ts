import type { Notes } from "./memory/notes/open-notes.ts";
import type { Objects } from "./memory/objects.ts";
import type { Label } from "./signal/label.ts";

/** Something that memory found: a node of the notes with its own text, or an object of the agent's own memory. */
export type FoundMemory = {
  readonly id: string;
  readonly from: "notes" | "own";
  /** Where it stands: its file in the notes folder; null for the agent's own. */
  readonly file: string | null;
  readonly title: string;
  readonly text: string;
  readonly label: Label;
};

/** How much an early place counts against a late one where two lists are joined (reciprocal rank fusion, Cormack et al. 2009). */
const rankOffset = 60;

/** Searches the notes and the agent's own memory together, best first. What stands in both is given once, as a note. */
export async function searchMemory(
  { notes, objects }: { readonly notes: Notes; readonly objects: Objects | null },
  query: string,
  limit: number,
): Promise<readonly FoundMemory[]> {
  const inNotes = await searchNotes(notes, query, limit);
  const known = new Set(inNotes.map(({ id }) => id));
  const own = objects === null ? [] : await objects.search(query, limit);
  const inOwn = own
    .filter(({ id }) => !known.has(id))
    .map(
      ({ id, content, label }): FoundMemory => ({
        ...{ id, from: "own", file: null, title: content.split("\n")[0] ?? "", text: content, label },
      }),
    );
  return [...inNotes.entries(), ...inOwn.entries()]
    .map(([rank, found]) => ({ found, score: 1 / (rankOffset + rank) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ found }) => found);
}

async function searchNotes(notes: Notes, query: string, limit: number): Promise<readonly FoundMemory[]> {
  const hits = await notes.index.search(query, limit);
  const nodes = (await Promise.all(hits.map(({ id }) => notes.index.node(id)))).filter(
    (node) => node !== null,
  );
  const texts = await notes.texts(nodes);
  return nodes.flatMap(({ id, file, title, label }): FoundMemory[] => {
    const text = texts.get(id);
    const found = { id, from: "notes" as const, file, title };
    if (text !== undefined) return [{ ...found, text, label }];
    if (label.secrecy !== "secret") return [];
    return [
      {
        ...found,
        text: `${title} (what stands below is encrypted)`,
        label: { ...label, secrecy: "private" },
      },
    ];
  });
}
