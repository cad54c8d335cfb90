import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { State } from "../state/state.ts";
import type { TranscriptEntry } from "../state/transcript.ts";

/** A search result: a node of the notes with its own text, an object of the agent's own memory, or a message of a session. */
export type FoundMemory = {
  readonly id: string;
  readonly from: "notes" | "own" | "session";
  /** The file in the notes folder; null for a result that is not a note. */
  readonly file: string | null;
  /** The title of a note or an object; for a message its time and speaker. */
  readonly title: string;
  readonly text: string;
  readonly label: Label;
};

/** The constant k of reciprocal rank fusion (Cormack et al. 2009). */
const rankOffset = 60;

/** The query, its label, and the number of results. */
export type MemoryQuery = { readonly text: string; readonly limit: number; readonly label?: Label };

/** Finds notes by meaning. */
export type SemanticSearch = {
  /** IDs of the notes that are nearest in meaning, best first; none if the embedder may not see the text or does not answer. */
  readonly nearest: (text: string, label: Label, limit: number) => Promise<readonly string[]>;
};

/** The sources of a search. `semanticIndex` finds notes with the same meaning in other words; null if no embedding provider is set up. */
export type MemorySources = {
  readonly notes: Notes;
  readonly state: Pick<State, "objects" | "sessionMemory"> | null;
  readonly semanticIndex: SemanticSearch | null;
};

/**
 * Searches the notes, the agent's own memory and the messages of all sessions together, best first. An object that is also a note is returned once, as a note.
 * A note is ranked by its position among the matches by words and among the matches by meaning.
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

/** Joins lists by reciprocal rank fusion, best first. */
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
