import type { Notes } from "./memory/notes/open-notes.ts";
import type { State } from "./memory/state.ts";
import type { TranscriptEntry } from "./memory/transcript.ts";
import type { Label } from "./signal/label.ts";

/** Something that memory found: a node of the notes with its own text, an object of the agent's own memory, or what was said in a session. */
export type FoundMemory = {
  readonly id: string;
  readonly from: "notes" | "own" | "session";
  /** Where it stands: its file in the notes folder; null for what stands in none. */
  readonly file: string | null;
  /** Of what was said: when, and by whom. */
  readonly title: string;
  readonly text: string;
  readonly label: Label;
};

/** How much an early place counts against a late one where two lists are joined (reciprocal rank fusion, Cormack et al. 2009). */
const rankOffset = 60;

/** Searches the notes, the agent's own memory and what was said in all sessions together, best first. What stands in both is given once, as a note. */
export async function searchMemory(
  {
    notes,
    state,
  }: { readonly notes: Notes; readonly state: Pick<State, "objects" | "sessionMemory"> | null },
  query: string,
  limit: number,
): Promise<readonly FoundMemory[]> {
  const inNotes = await searchNotes(notes, query, limit);
  const known = new Set(inNotes.map(({ id }) => id));
  const own = state === null ? [] : await state.objects.search(query, limit);
  const said = state === null ? [] : await state.sessionMemory.search(query, limit);
  const inOwn = own
    .filter(({ id }) => !known.has(id))
    .map(
      ({ id, content, label }): FoundMemory => ({
        ...{ id, from: "own", file: null, title: content.split("\n")[0] ?? "", text: content, label },
      }),
    );
  return [...inNotes.entries(), ...inOwn.entries(), ...said.map(foundSaid).entries()]
    .map(([rank, found]) => ({ found, score: 1 / (rankOffset + rank) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ found }) => found);
}

function foundSaid({ id, at, speaker, text, label }: TranscriptEntry): FoundMemory {
  const title = at === null ? speaker : `${new Date(at).toISOString().slice(0, 16)}Z, ${speaker}`;
  return { id, from: "session", file: null, title, text, label };
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
