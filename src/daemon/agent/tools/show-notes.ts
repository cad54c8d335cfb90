import {
  agendaFor,
  formatDay,
  inPrintedOrder,
  localDay,
  localMinutes,
  parseDay,
  parseRelativeDay,
} from "#org";
import { digestOf } from "../../../machine/digest.ts";
import { makeEventLoopYield, mapInSlices } from "../../../machine/yield-to-event-loop.ts";
import { findBacklinks } from "../../../memory/notes/backlinks.ts";
import { type CodePointOffset, offsetsInNotes } from "../../../memory/notes/code-point-offsets.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import { queryNotes, readQuery } from "../../../memory/notes/query-notes.ts";
import { searchMemory } from "../../../memory/recall/search-memory.ts";
import type { SemanticIndex } from "../../../memory/recall/semantic-index.ts";
import { ownAgenda } from "../../../memory/state/own-agenda.ts";
import type { State } from "../../../memory/state/state.ts";
import type { NoteNode } from "../../../notes/note-node.ts";
import type { NotesRequest } from "../../../perceive/notes-request.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Label } from "../../../signal/label.ts";
import type { Clock } from "../../../text/clock.ts";
import type { JsonObject } from "../../../text/json.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import { whyIncomplete } from "./memory-ports.ts";
import type { TreeKeeper } from "./tree-keeper.ts";

/** What listing notes needs. */
export type NotesListParts = {
  readonly notes: Notes;
  readonly state: State;
  readonly semanticIndex: SemanticIndex | null;
  readonly policy: Pick<Policy, "filter" | "config">;
  readonly clock: Clock;
  readonly lists: TreeKeeper<NotesList>;
};

/** A list whose further pages may be asked for. `length` is that of its entries as JSON. */
export type NotesList = {
  readonly entries: readonly JsonObject[];
  readonly digest: string;
  readonly length: number;
};

/** The entries of a page, at most, and unless a client says otherwise. */
const mostEntries = 500;
const usualEntries = 100;
/** The entries that a search gives. */
const mostFound = 200;
/** The days of an agenda. */
const agendaDays = 7;

/** A page of a list of notes, for their owner. Keys in it are masked. */
export async function showNotes(
  parts: NotesListParts,
  request: NotesRequest,
  by: { readonly label: Label },
): Promise<CommandReply> {
  const { view, what, cursor } = request;
  const under = digestOf([view, what]);
  const [, of = null, begin = "0"] = /^([0-9a-f]{64})\.([1-9]\d{0,8})$/.exec(cursor ?? "") ?? [];
  let list = cursor === null ? undefined : parts.lists.find(under);
  if (list === undefined) {
    await parts.notes.ready();
    const found = await listers[view](parts, what, by.label);
    if (typeof found === "string") return { code: "not-done", text: found };
    const yieldToEventLoop = makeEventLoopYield();
    const digest = digestOf([under, found]);
    await yieldToEventLoop();
    list = { entries: found, digest, length: JSON.stringify(found).length };
  }
  const { entries, digest } = list;
  if (cursor !== null && of !== digest) return { code: "notes-changed", text: notesChanged };
  const first = Number(begin);
  const limit = Math.max(1, Math.min(request.limit ?? usualEntries, mostEntries));
  const end = first + limit;
  if (end < entries.length) parts.lists.keep(under, list);
  else parts.lists.drop(under);
  const data = {
    entries: entries.slice(first, end),
    first,
    total: entries.length,
    ...(end < entries.length ? { next: `${digest}.${end}` } : {}),
  };
  return { code: "notes", text: whyIncomplete(parts) ?? "", data };
}

const notesChanged = "The notes changed since the page before. Ask again without a cursor.";

/** Gives the entries of a list, or says why there is no such list. */
type Lister = (parts: NotesListParts, what: string, label: Label) => Promise<readonly JsonObject[] | string>;

const listers: Readonly<Record<NotesRequest["view"], Lister>> = {
  agenda: listAgenda,
  query: listMatches,
  search: listFound,
  backlinks: listLinks,
};

async function listAgenda(
  { notes, state, policy: { filter, config }, clock }: NotesListParts,
  what: string,
): Promise<readonly JsonObject[] | string> {
  const today = localDay(new Date(clock()));
  const from = parseRelativeDay(what === "" ? "today" : what, today);
  if (from === null) return `'${what}' is not a day. Write 2026-01-15, today, +3d or -1w.`;
  const { budgetPerDay } = config;
  const own = from > today ? [] : await ownAgenda({ state, budgetPerDay, now: clock() });
  const stamps = await notes.agendaStamps(from, formatDay((parseDay(from) ?? 0) + agendaDays - 1));
  const nodeOf = new Map(stamps.map(({ timestamp, node }) => [timestamp, node]));
  const offsetOf = offsetsInNotes(notes.place);
  const lines = inPrintedOrder(agendaFor(stamps, { from, days: agendaDays, today }));
  return [
    ...own.map(({ kind, text, reason, next }) => ({
      date: today,
      type: kind,
      title: filter(text),
      extra: filter(reason),
      next,
    })),
    ...(await mapInSlices(
      lines,
      ({ date, type, time, extra, shown, located: { file, begin, timestamp } }) => ({
        date,
        type,
        time: time.replace(/\.+$/, "").trim(),
        extra: filter(extra.trim()),
        category: filter(timestamp.headline.category),
        todo: timestamp.headline.todo,
        done: timestamp.headline.done,
        title: filter(shown),
        id: nodeOf.get(timestamp) ?? null,
        file: notes.pathOf(file),
        begin: offsetOf(file, begin),
      }),
    )),
  ];
}

async function listMatches(
  { notes, policy: { filter }, clock }: NotesListParts,
  what: string,
): Promise<readonly JsonObject[] | string> {
  const now = new Date(clock());
  const query = readQuery(what, { today: localDay(now), minutes: localMinutes(now) });
  if (!query.ok)
    return `The query cannot be parsed at character ${query.at}: expected ${query.expected}. For example: +work-boss, TODO="NEXT", "some text".`;
  return mapInSlices(await queryNotes(notes, query), ({ file, title, tags, ...hit }) => ({
    ...hit,
    title: filter(title),
    tags: tags.map(filter),
    file: notes.pathOf(file),
  }));
}

async function listFound(
  { notes, state, semanticIndex, policy: { filter } }: NotesListParts,
  what: string,
  label: Label,
): Promise<readonly JsonObject[]> {
  const query = { text: what, limit: mostFound, label, matchesOnly: true };
  const found = await searchMemory({ notes, state, semanticIndex }, query);
  const nodes = await Promise.all(
    found.map(({ id, from }) => (from === "notes" ? notes.index.node(id) : Promise.resolve(null))),
  );
  const offsetOf = offsetsInNotes(notes.place);
  return found.map(({ id, from, title, match }, index) => ({
    from,
    id,
    title: filter(title),
    text: filter(match),
    ...placeOf(notes, nodes[index] ?? null, offsetOf),
  }));
}

async function listLinks(
  { notes, policy: { filter } }: NotesListParts,
  id: string,
): Promise<readonly JsonObject[] | string> {
  if ((await notes.index.resolveId(id)) === null) return `There is no note with the ID ${id}.`;
  const offsetOf = offsetsInNotes(notes.place);
  return mapInSlices(await findBacklinks(notes, id), ({ node, line }) => ({
    id: node.id,
    title: filter(node.title),
    text: filter(line),
    ...placeOf(notes, node, offsetOf),
  }));
}

function placeOf(
  notes: Pick<Notes, "pathOf">,
  node: Pick<NoteNode, "file" | "begin"> | null,
  offsetOf: CodePointOffset,
): { readonly file?: string; readonly begin?: number } {
  if (node === null) return {};
  return { file: notes.pathOf(node.file), begin: offsetOf(node.file, node.begin) };
}
