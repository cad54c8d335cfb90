import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { State } from "../state/state.ts";
import type { TranscriptEntry } from "../state/transcript.ts";

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

/** What is looked for: the words, who may see them, and how many are wanted. */
export type MemoryQuery = { readonly text: string; readonly limit: number; readonly label?: Label };

/** Finds notes by meaning. */
export type SemanticSearch = {
  /** Ids of the notes that are nearest to a text in meaning, best first; none where the embedder may not see the text, or does not answer. */
  readonly nearest: (text: string, label: Label, limit: number) => Promise<readonly string[]>;
};

/** Where is looked. `near` finds notes that mean the same in other words; null where nobody makes vectors. */
export type MemorySources = {
  readonly notes: Notes;
  readonly state: Pick<State, "objects" | "sessionMemory"> | null;
  readonly semanticIndex: SemanticSearch | null;
};

/**
 * Searches the notes, the agent's own memory and what was said in all sessions together, best first. What stands in both is given once, as a note.
 * A note counts by its place among those that have the words, and by its place among those that mean the same.
 */
export async function searchMemory(
  { notes, state, semanticIndex }: MemorySources,
  { text: query, limit, label = bottomLabel }: MemoryQuery,
): Promise<readonly FoundMemory[]> {
  const worded = (await notes.index.search(query, limit)).map(({ id }) => id);
  const meant = semanticIndex === null ? [] : await semanticIndex.nearest(query, label, limit);
  const inNotes = await foundNotes(notes, [...new Set([...worded, ...meant])]);
  const own = state === null ? [] : await state.objects.search(query, limit);
  const said = state === null ? [] : await state.sessionMemory.search(query, limit);
  const inOwn = own
    .filter(({ id }) => !inNotes.has(id))
    .map(
      ({ id, content, label: kept }): FoundMemory => ({
        id,
        from: "own",
        file: null,
        title: content.split("\n")[0] ?? "",
        text: content,
        label: kept,
      }),
    );
  const listed = (ids: readonly string[]): readonly FoundMemory[] =>
    ids.map((id) => inNotes.get(id)).filter((found) => found !== undefined);
  return joined([listed(worded), listed(meant), inOwn, said.map(foundSaid)]).slice(0, limit);
}

/** Lists joined by the places that each thing has in them, best first. */
function joined(lists: readonly (readonly FoundMemory[])[]): readonly FoundMemory[] {
  const scores = new Map<FoundMemory, number>();
  for (const list of lists) {
    for (const [rank, found] of list.entries()) {
      scores.set(found, (scores.get(found) ?? 0) + 1 / (rankOffset + rank));
    }
  }
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([found]) => found);
}

function foundSaid({ id, at, speaker, text, label }: TranscriptEntry): FoundMemory {
  const title = at === null ? speaker : `${new Date(at).toISOString().slice(0, 16)}Z, ${speaker}`;
  return { id, from: "session", file: null, title, text, label };
}

async function foundNotes(notes: Notes, ids: readonly string[]): Promise<ReadonlyMap<string, FoundMemory>> {
  const nodes = (await Promise.all(ids.map((id) => notes.index.node(id)))).filter((node) => node !== null);
  const texts = await notes.texts(nodes);
  const found = nodes.flatMap(({ id, file, title, label }): FoundMemory[] => {
    const text = texts.get(id);
    const place = { id, from: "notes" as const, file, title };
    if (text !== undefined) return [{ ...place, text, label }];
    if (label.secrecy !== "secret") return [];
    return [
      {
        ...place,
        text: `${title} (what stands below is encrypted)`,
        label: { ...label, secrecy: "private" },
      },
    ];
  });
  return new Map(found.map((one) => [one.id, one]));
}
