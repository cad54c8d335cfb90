import { bottomLabel, isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import type { NodeFilter } from "../notes/index/note-index.ts";
import type { Notes } from "../notes/open-notes.ts";
import { matchingLine } from "../search/matching-line.ts";
import type { State } from "../state/state.ts";
import { isLineOnCall, type TranscriptEntry } from "../state/transcript.ts";

/** A search result: a node of the notes with its own text, an object of the agent's own memory, or a message of a session. */
export type FoundMemory = {
  readonly id: string;
  readonly from: "notes" | "own" | "session";
  /** The file in the notes folder; null for a result that is not a note. */
  readonly file: string | null;
  /** The title of a note or an object; for a message its time and speaker. */
  readonly title: string;
  readonly text: string;
  /** The line of the text that matches best, for a person. */
  readonly match: string;
  readonly label: Label;
};

type Unmatched = Omit<FoundMemory, "match">;

/** The constant k of reciprocal rank fusion (Cormack et al. 2009). */
const rankOffset = 60;

/** The query, its label, and the number of results. With `publicOnly`, what is private takes no part in the search: the results are those of a memory without it. */
export type MemoryQuery = {
  readonly text: string;
  readonly limit: number;
  readonly label?: Label;
  readonly publicOnly?: boolean;
};

/** Finds notes by meaning. */
export type SemanticSearch = {
  /** The notes that are nearest in meaning, best first, with how far they are above the mean of all notes in standard deviations; none if the embedder may not see the text or does not answer. */
  readonly nearest: (
    text: string,
    label: Label,
    limit: number,
  ) => Promise<readonly { readonly id: string; readonly deviations: number }[]>;
};

/** The sources of a search. `semanticIndex` finds notes with the same meaning in other words; null if no embedding provider is set up. */
export type MemorySources = {
  readonly notes: Notes;
  readonly state: {
    readonly objects: Pick<State["objects"], "search">;
    readonly sessionMemory: Pick<State["sessionMemory"], "search">;
  } | null;
  readonly semanticIndex: SemanticSearch | null;
};

/**
 * Searches the notes, the agent's own memory and the messages of all sessions together, best first. An object that is also a note is returned once, as a note.
 * A note is ranked by its match by words and by meaning. Lines on calls of the agent, which repeat what was asked, come last.
 */
export async function searchMemory(
  { notes, state, semanticIndex }: MemorySources,
  { text: query, limit, label = bottomLabel, publicOnly = false }: MemoryQuery,
): Promise<readonly FoundMemory[]> {
  const worded = await notes.index.search(query, limit, publicOnly ? onlyPublic : null);
  const mostMeant = publicOnly ? limit * lookedThrough : limit;
  const meant = semanticIndex === null ? [] : await semanticIndex.nearest(query, label, mostMeant);
  const ranked = rankNotes(worded, meant);
  const inNotes = await foundNotes(notes, ranked, publicOnly);
  const own = state === null ? [] : await state.objects.search(query, limit, { publicOnly });
  const said = state === null ? [] : await state.sessionMemory.search(query, limit, { publicOnly });
  const inOwn = own
    .filter(({ id }) => !inNotes.has(id))
    .map(
      ({ id, content, label: kept }): Unmatched => ({
        id,
        from: "own",
        file: null,
        title: content.split("\n")[0] ?? "",
        text: content,
        label: kept,
      }),
    );
  const listed = ranked.map((id) => inNotes.get(id)).filter((found) => found !== undefined);
  const words = said.filter((entry) => !isLineOnCall(entry));
  const calls = said.filter(isLineOnCall);
  return [...joined([listed, inOwn, words.map(foundSaid)]), ...calls.map(foundSaid)]
    .slice(0, limit)
    .map((found) => ({ ...found, match: matchingLine(query, found.text) }));
}

/** How many times the wanted notes are looked through by meaning where private ones are passed over. */
const lookedThrough = 10;

function isPublic({ label }: { readonly label: Label }): boolean {
  return isNoMoreSecretThan(label, "public");
}

const onlyPublic: NodeFilter = async (nodes) => nodes.map(isPublic);

/** What each standard deviation of nearness in meaning adds to a note's score, as a share of the best score by words; and how many count. */
const meaningShare = 0.3;
const mostDeviations = 4;

/** IDs of the notes by their score by words with what their meaning adds, best first. A weak embedder, which finds all notes about equally near, changes little. */
function rankNotes(
  worded: readonly { readonly id: string; readonly score: number }[],
  meant: readonly { readonly id: string; readonly deviations: number }[],
): readonly string[] {
  const best = worded[0]?.score ?? 1;
  const scores = new Map(worded.map(({ id, score }) => [id, score]));
  for (const { id, deviations } of meant) {
    const added = meaningShare * best * Math.min(mostDeviations, Math.max(0, deviations));
    scores.set(id, (scores.get(id) ?? 0) + added);
  }
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
}

/** Joins lists by reciprocal rank fusion, best first. */
function joined(lists: readonly (readonly Unmatched[])[]): readonly Unmatched[] {
  const scores = new Map<Unmatched, number>();
  for (const list of lists) {
    for (const [rank, found] of list.entries()) {
      scores.set(found, (scores.get(found) ?? 0) + 1 / (rankOffset + rank));
    }
  }
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([found]) => found);
}

function foundSaid({ id, at, speaker, text, label }: TranscriptEntry): Unmatched {
  const title = at === null ? speaker : `${new Date(at).toISOString().slice(0, 16)}Z, ${speaker}`;
  return { id, from: "session", file: null, title, text, label };
}

async function foundNotes(
  notes: Notes,
  ids: readonly string[],
  publicOnly: boolean,
): Promise<ReadonlyMap<string, Unmatched>> {
  const read = await Promise.all(ids.map((id) => notes.index.node(id)));
  const nodes = read.filter((node) => node !== null).filter((node) => !publicOnly || isPublic(node));
  const texts = await notes.texts(nodes);
  const found = nodes.flatMap(({ id, file, title, label }): Unmatched[] => {
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
