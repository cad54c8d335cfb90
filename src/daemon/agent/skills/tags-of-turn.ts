import { findLinkedNodes } from "../../../memory/notes/find-linked-nodes.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { NoteNode } from "../../../notes/note-node.ts";
import { isJobSignal, type Signal } from "../../../signal/signal.ts";
import { describeError } from "../../../text/describe-error.ts";
import { isJsonArray, isJsonObject, type Json } from "../../../text/json.ts";

/** What finding the tags of a turn needs. */
export type TagsOfTurnParts = {
  readonly notes: Pick<Notes, "index" | "place" | "ready">;
  readonly home: string;
  readonly report: (message: string) => void;
};

/** What a turn is about: its signal, and where its session works and looks. */
export type TurnSubject = {
  readonly signal: Signal;
  readonly workspace: string | null;
  readonly focus: string | null;
};

/**
 * The tags of the notes that a turn is about: those that its words link to, the one in the focus of its session, those whose change began it, and the entry of
 * its job. Inherited tags, those of the file and the groups that they belong to are among them. A private note counts for nothing: what a skill says where it
 * takes part would tell a model of it.
 */
export async function tagsOfTurn(parts: TagsOfTurnParts, subject: TurnSubject): Promise<ReadonlySet<string>> {
  const { signal } = subject;
  try {
    const nodes = await nodesOfTurn(parts, subject);
    const tags = nodes
      .filter(({ label }) => label.secrecy === "public")
      .flatMap(({ tags: own, groups = [] }) => [...own, ...groups]);
    return new Set([...tags, ...(isJobSignal(signal) ? textsOf(signal.payload["tags"]) : [])]);
  } catch (error) {
    parts.report(
      `The notes could not be read, so no skill takes part by their tags: ${describeError(error)}`,
    );
    return new Set();
  }
}

async function nodesOfTurn(
  { notes, home }: TagsOfTurnParts,
  { signal, workspace, focus }: TurnSubject,
): Promise<readonly NoteNode[]> {
  await notes.ready();
  const { folder, otherFolders = [] } = notes.place;
  const folders = [...(workspace === null ? [] : [workspace]), folder, ...otherFolders];
  const linked = await findLinkedNodes(notes, signal.text, { folders, home });
  const focused = focus === null ? null : await notes.index.resolveId(focus);
  const changed = await Promise.all(changedFiles(signal).map(fileNode(notes)));
  return [...linked, focused, ...changed].filter((node) => node !== null);
}

function fileNode({ index }: TagsOfTurnParts["notes"]) {
  return async (file: string): Promise<NoteNode | null> =>
    (await index.nodesInFile(file)).find(({ level }) => level === 0) ?? null;
}

/** The notes among the events that began a run. */
function changedFiles(signal: Signal): readonly string[] {
  const { events } = signal.payload;
  if (!isJobSignal(signal) || !isJsonObject(events)) return [];
  return textsOf(events["listed"]).flatMap((event) => /^note-changed (.+)$/s.exec(event)?.[1] ?? []);
}

function textsOf(value: Json | undefined): readonly string[] {
  return value !== undefined && isJsonArray(value) ? value.filter((one) => typeof one === "string") : [];
}
