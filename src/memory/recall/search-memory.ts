import { bottomLabel, isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import type { NodeFilter } from "../notes/index/note-index.ts";
import type { Notes } from "../notes/open-notes.ts";
import { matchingLine } from "../search/matching-line.ts";
import type { MemoryObject } from "../state/memory-object.ts";
import type { State } from "../state/state.ts";
import { isLineOnCall, type TranscriptEntry } from "../state/transcript.ts";
import { type NearText, type RankedText, rankByMeaning } from "./rank-by-meaning.ts";

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

/** What is searched for. */
export type MemoryQuery = {
  readonly text: string;
  readonly limit: number;
  readonly label?: Label;
  /** What is private takes no part in the search: the results are those of a memory without it. */
  readonly publicOnly?: boolean;
  /**
   * For a person, who looks for words: what only stands near them in a text or a talk is no result. A model
   * gets it too, as it often holds the answer.
   */
  readonly matchesOnly?: boolean;
  /** Turns whose messages are no results. */
  readonly withoutTurns?: ReadonlySet<string>;
};

/** The notes, and what was said in sessions, that are nearest in meaning, best first. */
export type NearTexts = { readonly notes: readonly NearText[]; readonly said: readonly NearText[] };

/** What is near where nothing can be compared. */
export const nothingNear: NearTexts = { notes: [], said: [] };

/** Finds texts by meaning. */
export type SemanticSearch = {
  /** None if the embedder may not see the text or does not answer. */
  readonly nearest: (text: string, label: Label, limit: number) => Promise<NearTexts>;
};

/** The sources of a search. `semanticIndex` finds texts with the same meaning in other words; null if no embedding provider is set up. */
export type MemorySources = {
  readonly notes: Notes;
  readonly state: {
    readonly objects: Pick<State["objects"], "search">;
    readonly sessionMemory: Pick<State["sessionMemory"], "search" | "get">;
  } | null;
  readonly semanticIndex: SemanticSearch | null;
};

/**
 * Searches the notes, the agent's own memory and the messages of all sessions together, best first. An object that is also a note is returned once, as a note.
 * A note or message is ranked by its match by words and by meaning. Lines on calls of the agent, which repeat what was asked, come last.
 */
export async function searchMemory(
  { notes, state, semanticIndex }: MemorySources,
  given: MemoryQuery,
): Promise<readonly FoundMemory[]> {
  const { text: query, limit, label = bottomLabel, publicOnly = false, matchesOnly = false } = given;
  const mostMeant = publicOnly ? limit * lookedThrough : limit;
  const meant = semanticIndex === null ? nothingNear : await semanticIndex.nearest(query, label, mostMeant);
  const hits = await notes.index.search(query, limit, publicOnly ? onlyPublic : null);
  const worded = hits.filter(({ isContext }) => !(matchesOnly && isContext));
  const inNotes = await foundNotes(notes, rankByMeaning(worded, meant.notes), publicOnly);
  const known = new Set(inNotes.map(({ found }) => found.id));
  const own = state === null ? [] : await state.objects.search(query, limit, { publicOnly });
  const inOwn = own.filter(({ id }) => !known.has(id)).map(foundObject);
  const said = state === null ? [] : await foundEntries(state, meant.said, given);
  const words = said.filter(({ isCall }) => !isCall);
  const calls = said.filter(({ isCall }) => isCall);
  return [...[...inNotes, ...inOwn, ...words].toSorted((one, other) => other.score - one.score), ...calls]
    .slice(0, limit)
    .map(({ found }) => ({ ...found, match: matchingLine(query, found.text) }));
}

/** A result with its rank. */
type Ranked = { readonly found: Unmatched; readonly score: number };

/** How many times the wanted results are looked through where some are passed over. */
const lookedThrough = 10;

function isPublic({ label }: { readonly label: Label }): boolean {
  return isNoMoreSecretThan(label, "public");
}

const onlyPublic: NodeFilter = async (nodes) => nodes.map(isPublic);

/** What each further object of the agent's own memory, which are found without a score, ranks less. */
const stepOfOwn = 0.05;

function foundObject({ id, content, label }: MemoryObject, place: number): Ranked {
  const title = content.split("\n")[0] ?? "";
  return {
    found: { id, from: "own", file: null, title, text: content, label },
    score: 1 - stepOfOwn * place,
  };
}

/** Messages by their words and their meaning; those that the query names by an ID are the best. */
async function foundEntries(
  { sessionMemory }: NonNullable<MemorySources["state"]>,
  meant: readonly NearText[],
  { text: query, limit, publicOnly = false, matchesOnly = false, withoutTurns = new Set() }: MemoryQuery,
): Promise<readonly (Ranked & { readonly isCall: boolean })[]> {
  const isWanted = (entry: TranscriptEntry): boolean =>
    (!publicOnly || isPublic(entry)) && !(entry.turn !== null && withoutTurns.has(entry.turn));
  const most = matchesOnly || withoutTurns.size > 0 ? limit * lookedThrough : limit;
  const hits = (await sessionMemory.search(query, most, { publicOnly })).filter(
    (entry) => isWanted(entry) && !(matchesOnly && entry.isContext),
  );
  const entries = new Map<string, TranscriptEntry>(hits.map((entry) => [entry.id, entry]));
  for (const { id } of meant) {
    const entry = entries.has(id) ? null : await sessionMemory.get(id);
    if (entry !== null && isWanted(entry)) entries.set(id, entry);
  }
  const named = hits.filter(({ score }) => score === null).map(({ id }) => ({ id, score: namedScore }));
  const worded = hits.flatMap(({ id, score }) => (score === null ? [] : [{ id, score }]));
  const namedIds = new Set(named.map(({ id }) => id));
  const others = rankByMeaning(worded, meant).filter(({ id }) => !namedIds.has(id));
  return [...named, ...others].slice(0, limit).flatMap(({ id, score }) => {
    const entry = entries.get(id);
    return entry === undefined ? [] : [{ found: foundSaid(entry), score, isCall: isLineOnCall(entry) }];
  });
}

const namedScore = Number.MAX_VALUE;

function foundSaid({ id, at, speaker, text, label }: TranscriptEntry): Unmatched {
  const title = at === null ? speaker : `${new Date(at).toISOString().slice(0, 16)}Z, ${speaker}`;
  return { id, from: "session", file: null, title, text, label };
}

async function foundNotes(
  notes: Notes,
  ranked: readonly RankedText[],
  publicOnly: boolean,
): Promise<readonly Ranked[]> {
  const read = await Promise.all(ranked.map(({ id }) => notes.index.node(id)));
  const nodes = read.filter((node) => node !== null).filter((node) => !publicOnly || isPublic(node));
  const texts = await notes.shownTexts(nodes);
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
  const notesById = new Map(found.map((note) => [note.id, note]));
  return ranked.flatMap(({ id, score }) => {
    const note = notesById.get(id);
    return note === undefined ? [] : [{ found: note, score }];
  });
}
