import { sha256 } from "../../machine/digest.ts";
import { originHashes } from "../../notes/note-hashes.ts";
import type { NoteNode } from "../../notes/note-node.ts";
import { labelFromOrigin, originProperty } from "../../notes/origin-property.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Turn } from "../../signal/turn.ts";
import { isInside } from "../../text/is-inside.ts";
import { isOrgFile } from "../../text/is-org-file.ts";
import { foldersOf } from "../notes/folder/notes-folders.ts";
import { nodesIn } from "../notes/labels/label-of-file.ts";
import type { Notes } from "../notes/open-notes.ts";
import { isForgotten } from "../state/is-forgotten.ts";
import type { MemoryObject } from "../state/memory-object.ts";
import type { State } from "../state/state.ts";
import { nameInFile } from "./find-earlier.ts";
import type { Source } from "./find-source.ts";
import { isCut, namesSource } from "./names-source.ts";

/** What finding derived texts needs. `readFile` gives null where there is no file. */
export type DerivedParts = {
  readonly notes: Pick<Notes, "index" | "pathOf" | "place">;
  readonly state: Pick<State, "objects" | "origins" | "turns" | "changes">;
  readonly readFile: (path: string) => Promise<Uint8Array | null>;
};

/** A text that stays although it grew from the source, with the reason. */
export type KeptText = { readonly what: string; readonly why: string };

/** All that grew from a source, over any number of hops. */
export type Derived = {
  /** Notes whose own words grew from it. */
  readonly notes: readonly NoteNode[];
  /** Objects of the agent's own memory. */
  readonly memories: readonly MemoryObject[];
  /** Other files that the agent wrote from nothing else, with their digests. */
  readonly files: readonly { readonly path: string; readonly digest: string }[];
  /** Turns in which such a text was read, written or said. */
  readonly turns: readonly Turn[];
  readonly kept: readonly KeptText[];
  /** Whether words of a note grew from the source, by their hash. */
  readonly isGrown: (words: string) => boolean;
  /** Whether a label grew from the source. */
  readonly isDerived: (label: Label) => boolean;
};

/** Finds all that grew from a source: what a label says, and what its turns wrote. A note that the owner took as their own, or changed since, is kept and named. */
export async function findDerived(parts: DerivedParts, source: Source): Promise<Derived> {
  const { state } = parts;
  const keys = new Set(source.keys);
  const touched = new Set<string>();
  const own = new Set(source.turns.map(({ id }) => id));
  const isDerived = (label: Label): boolean =>
    namesSource(label, keys) || (isCut(label) && label.sources.some(({ id }) => touched.has(id)));
  const written = await wordsOfTurns(parts, source.turns);
  for (;;) {
    const before = keys.size + touched.size;
    const recorded = await state.origins.find(isDerived);
    const all = await notesThat(parts, source, ({ label, words }) => isDerived(label) || written.has(words));
    const isOnlyBeside = (node: NoteNode): boolean =>
      !written.has(node.words) && isDerivedBesideWords(node, recorded, isDerived);
    const notes = all.filter((node) => !isOnlyBeside(node));
    const taken = new Set(notes.map(({ words }) => words));
    const edited = await editedNotes(parts, { isDerived, written, taken });
    for (const { key } of edited) keys.add(key);
    const memories = await memoriesThat(parts, source, isDerived);
    for (const { id } of [...all, ...memories]) keys.add(id);
    const turns = await turnsThat(state, source, { keys, isDerived });
    for (const { id, signal } of turns) for (const one of [id, signal.id]) touched.add(one);
    if (keys.size + touched.size > before) continue;
    const origins = await state.origins.of(notes.map(({ words }) => words));
    const isOwn = ({ words }: NoteNode): boolean => origins.get(words)?.trusted === true;
    const files = await otherFiles(parts, isDerived);
    const grown = new Set([...recorded, ...written, ...taken]);
    return {
      isGrown: (words) => grown.has(words),
      notes: notes.filter((node) => !isOwn(node)),
      memories,
      files: files.taken,
      turns: turns.filter(({ id, messages }) =>
        messages.some((message) => !isForgotten(message) && (own.has(id) || isDerived(labelOf(message)))),
      ),
      kept: [
        ...notes
          .filter(isOwn)
          .map((node) => ({ what: nameOf(node), why: "you took its text as your own by /trust" })),
        ...all.filter(isOnlyBeside).map((node) => ({
          what: nameOf(node),
          why: "only properties, tags or times of it came from this; its words did not",
        })),
        ...edited.map(({ what }) => ({ what, why: "it was changed since, and not by what grew from this" })),
        ...files.kept,
      ],
      isDerived,
    };
  }
}

/** Whether the words of a note did not grow from a source, but something beside them did. */
function isDerivedBesideWords(
  node: NoteNode,
  recorded: ReadonlySet<string>,
  isDerived: (label: Label) => boolean,
): boolean {
  if (recorded.has(node.words) || isDerived(labelFromOrigin(bottomLabel, node.properties[originProperty])))
    return false;
  return originHashes(node).some((hash) => recorded.has(hash));
}

function labelOf(message: Message): Label {
  return message.role === "result" ? message.result.label : message.label;
}

function nameOf({ id, file }: Pick<NoteNode, "id" | "file">): string {
  return id === file || id.startsWith(`${file}::`) ? id : `${id} in ${file}`;
}

async function notesThat(
  { notes }: DerivedParts,
  source: Source,
  isMeant: (node: NoteNode) => boolean,
): Promise<readonly NoteNode[]> {
  const found: NoteNode[] = [];
  for await (const node of notes.index.all())
    if (node.words !== "" && !source.notes.has(node.id) && isMeant(node)) found.push(node);
  return found;
}

async function memoriesThat(
  { state }: DerivedParts,
  source: Source,
  isDerived: (label: Label) => boolean,
): Promise<readonly MemoryObject[]> {
  const turns = new Set(source.turns.map(({ id }) => id));
  const found: MemoryObject[] = [];
  for (const object of await state.objects.children("own", null)) {
    if (source.keys.has(object.id)) continue;
    const [made] = await state.objects.history("own", object.id);
    if (isDerived(object.label) || (made?.turn != null && turns.has(made.turn))) found.push(object);
  }
  return found;
}

async function turnsThat(
  { turns }: DerivedParts["state"],
  source: Source,
  { keys, isDerived }: { readonly keys: ReadonlySet<string>; readonly isDerived: (label: Label) => boolean },
): Promise<readonly Turn[]> {
  const own = new Set(source.turns.map(({ id }) => id));
  const found = (await turns.withText([...keys])).filter(
    ({ id, messages }) => !own.has(id) && messages.some((message) => isDerived(labelOf(message))),
  );
  return [...source.turns, ...found];
}

/** The hashes of the words that turns brought into notes, also where these are the owner's words. */
async function wordsOfTurns(parts: DerivedParts, turns: readonly Turn[]): Promise<ReadonlySet<string>> {
  const { changes } = parts.state;
  const brought = new Set<string>();
  for (const { id } of turns) {
    for (const { path, preImage, after } of await changes.ofTurn(id)) {
      if (after === null || !isNote(parts, path)) continue;
      const [now, before] = await Promise.all([
        wordsOfVersion(parts, path, after),
        wordsOfVersion(parts, path, preImage),
      ]);
      for (const { words } of now) if (!before.some((node) => node.words === words)) brought.add(words);
    }
  }
  brought.delete("");
  return brought;
}

type NamedWords = { readonly name: string; readonly words: string };

/** The words of the nodes in a version of a note that was kept, by the `:ID:` of each node or by its place. */
export async function wordsOfVersion(
  parts: Pick<DerivedParts, "notes"> & { readonly state: Pick<State, "changes"> },
  path: string,
  blob: string | null,
): Promise<readonly NamedWords[]> {
  const kept = blob === null ? null : await parts.state.changes.preImage(blob);
  return kept?.status === "kept" ? wordsIn(parts, path, kept.bytes) : [];
}

async function wordsIn(
  { notes }: Pick<DerivedParts, "notes">,
  path: string,
  bytes: Uint8Array,
): Promise<readonly NamedWords[]> {
  const { nodes } = await nodesIn({ path, notes: notes.place }, bytes);
  return nodes.map((node) => ({ name: nameInFile(node), words: node.words }));
}

/** Whether a path is that of a note. */
export function isNote({ notes }: Pick<DerivedParts, "notes">, path: string): boolean {
  return isOrgFile(path) && foldersOf(notes.place).some((folder) => isInside(folder, path));
}

/** Versions of a note that are looked at. */
const mostVersions = 50;

/** Notes that grew from the source when they were written, and that somebody changed since. */
async function editedNotes(
  parts: DerivedParts,
  {
    isDerived,
    written,
    taken,
  }: {
    readonly isDerived: (label: Label) => boolean;
    readonly written: ReadonlySet<string>;
    readonly taken: ReadonlySet<string>;
  },
): Promise<readonly { readonly key: string; readonly what: string }[]> {
  const derived = new Set([...(await parts.state.origins.find(isDerived)), ...written]);
  if (derived.size === 0) return [];
  const isOther = (words: string): boolean => words !== "" && !derived.has(words) && !taken.has(words);
  const kept: { key: string; what: string }[] = [];
  const ids = new Set<string>();
  for (const path of await parts.state.changes.files()) {
    if (!isNote(parts, path)) continue;
    const now = await parts.readFile(path);
    const versions = (await parts.state.changes.ofFile(path)).slice(-mostVersions);
    const then = new Set<string>();
    let isWhole = false;
    for (const { after } of versions) {
      const worded = (await wordsOfVersion(parts, path, after)).filter(({ words }) => words !== "");
      for (const { name, words } of worded)
        if (derived.has(words)) (name.startsWith("[") ? then : ids).add(name);
      isWhole ||= worded.length > 0 && worded.every(({ words }) => derived.has(words));
    }
    for (const { name, words } of now === null ? [] : await wordsIn(parts, path, now))
      if ((then.has(name) || ids.has(name)) && isOther(words))
        kept.push({ key: isWhole ? path : name, what: `${readable(name)} in ${path}` });
  }
  return [...kept, ...(await editedElsewhere(parts, ids, { kept, isOther }))];
}

/** The notes of these IDs that stand in other files by now, with other words. */
async function editedElsewhere(
  { notes }: Pick<DerivedParts, "notes">,
  ids: ReadonlySet<string>,
  {
    kept,
    isOther,
  }: {
    readonly kept: readonly { readonly what: string }[];
    readonly isOther: (words: string) => boolean;
  },
): Promise<readonly { readonly key: string; readonly what: string }[]> {
  const known = new Set(kept.map(({ what }) => what));
  const found: { key: string; what: string }[] = [];
  for (const id of ids) {
    const node = await notes.index.resolveId(id);
    const what = node === null ? "" : `${id} in ${notes.pathOf(node.file)}`;
    if (node !== null && isOther(node.words) && !known.has(what)) found.push({ key: id, what });
  }
  return found;
}

function readable(name: string): string {
  return name.startsWith("[")
    ? name.slice(1, -1).replaceAll('","', "/").replaceAll('"', "") || "the beginning"
    : name;
}

/** Files other than notes: those that hold nothing else are taken, others are named. */
async function otherFiles(
  parts: DerivedParts,
  isDerived: (label: Label) => boolean,
): Promise<{ readonly taken: Derived["files"]; readonly kept: readonly KeptText[] }> {
  const { changes, origins } = parts.state;
  const taken: { path: string; digest: string }[] = [];
  const kept: KeptText[] = [];
  for (const path of await changes.files()) {
    if (isNote(parts, path)) continue;
    const all = (await changes.ofFile(path)).filter(({ undone }) => !undone);
    const last = all.at(-1)?.after ?? null;
    const label = last === null ? undefined : (await origins.of([last])).get(last)?.label;
    const bytes =
      last === null || label === undefined || !isDerived(label) ? null : await parts.readFile(path);
    if (bytes === null || last === null) continue;
    const isWhole = all.every(({ before }, index) => before === (all[index - 1]?.after ?? null));
    if (sha256(bytes) !== last) kept.push({ what: path, why: "it was changed since; look at it yourself" });
    else if (!isWhole) kept.push({ what: path, why: "it holds other text, too; look at it yourself" });
    else taken.push({ path, digest: last });
  }
  return { taken, kept };
}
