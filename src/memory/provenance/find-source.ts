import { resolve } from "node:path";
import type { Turn } from "../../signal/turn.ts";
import { idOfLine } from "../../text/id-of-line.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { State } from "../state/state.ts";
import { sourceKey } from "./names-source.ts";

/** A source that the owner named: what labels name it by, and the turns that it is. */
export type Source = {
  readonly kind: "address" | "session" | "turn" | "note" | "memory" | "file" | "other";
  /** The keys of the ids by which labels name it. */
  readonly keys: ReadonlySet<string>;
  /** The turns that the source is; what they wrote grew from it, whatever its label says. */
  readonly turns: readonly Turn[];
  /** The notes that the source is. They stay. */
  readonly notes: ReadonlySet<string>;
};

/** What finding a source needs. `home` stands for `~`; a relative path begins at the notes folder. */
export type SourceParts = {
  readonly notes: Pick<Notes, "index" | "subtree" | "pathOf" | "place">;
  readonly state: Pick<State, "sessions" | "turns" | "objects">;
  readonly home: string;
};

/** Reads what the owner named as a source: an address, a session, a turn or a line of one, a note, a memory, a file, or the id that `memory why` shows. */
export async function findSource(parts: SourceParts, given: string): Promise<Source> {
  const named = idOfLine(given);
  const none = { turns: [], notes: new Set<string>() };
  if (/^https?:\/\//i.test(named)) return { ...none, kind: "address", keys: new Set([sourceKey(named)]) };
  const { sessions, turns, objects } = parts.state;
  const session = await sessions.find(named);
  if (session !== null) {
    const all = await turns.allOf(session.id);
    return { ...none, kind: "session", keys: keysOfTurns(all), turns: all };
  }
  const turn = (await turns.get(named.replace(/:\d+$/, ""))) ?? (await turns.bySignal(named));
  if (turn !== null) {
    const all = [turn, ...(await turns.copiesOf(turn.id))];
    return { ...none, kind: "turn", keys: keysOfTurns(all), turns: all };
  }
  const note = await parts.notes.index.resolveId(named);
  if (note !== null) {
    const nodes = (await parts.notes.subtree(named)).map(({ id }) => id);
    const path = note.level === 0 ? [parts.notes.pathOf(note.file)] : [];
    return { ...none, kind: "note", keys: new Set([...nodes, ...path]), notes: new Set(nodes) };
  }
  if ((await objects.get("own", named)) !== null) return { ...none, kind: "memory", keys: new Set([named]) };
  return sourceOfPath(parts, named);
}

/** What labels name a turn by: its own id, that of the signal which began it, and those of its results. */
function keysOfTurns(turns: readonly Turn[]): ReadonlySet<string> {
  return new Set(
    turns.flatMap(({ id, signal, messages }) => [
      id,
      signal.id,
      ...messages.flatMap((message) => (message.role === "result" ? [message.result.id] : [])),
    ]),
  );
}

async function sourceOfPath({ notes, home }: SourceParts, named: string): Promise<Source> {
  if (!named.includes("/")) return { kind: "other", keys: new Set([named]), turns: [], notes: new Set() };
  const path = named.startsWith("~/") ? resolve(home, named.slice(2)) : resolve(notes.place.folder, named);
  const files = (await notes.index.files()).filter((file) => notes.pathOf(file.path) === path);
  const nodes = (await Promise.all(files.map((file) => notes.index.nodesInFile(file.path)))).flat();
  const ids = nodes.map(({ id }) => id);
  return { kind: "file", keys: new Set([path, ...ids]), turns: [], notes: new Set(ids) };
}
