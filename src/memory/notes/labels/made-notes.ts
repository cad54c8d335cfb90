import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { NoteNode, NoteStat } from "../../../notes/note-node.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import { pushAll } from "../../../text/lists.ts";
import { foldersOf, pathOfNote } from "../folder/notes-folders.ts";
import { refusedAsNull } from "../folder/or-null.ts";
import { readNoteBytes } from "../folder/read-note-file.ts";
import { makeSetupComparison } from "../folder/setup-files.ts";
import { walkNotes } from "../folder/walk-notes.ts";
import type { NoteIndex } from "../index/note-index.ts";
import { type FileLabelRules, nodesIn, partsToKeep } from "./label-of-file.ts";
import { labelNodes } from "./labelled-index.ts";

/** More bytes of notes are not held until it is known which of them change. */
const mostBytes = 64 * 1_048_576;
/** Of how many notes of one title it is known what they held before. */
const mostOfTitle = 50;

/** What finding the notes needs that an act makes. */
export type MadeNotesParts = {
  readonly rules: FileLabelRules;
  readonly index: Pick<NoteIndex, "titled" | "filesWithSetup" | "nodesInFile">;
  readonly keep: (parts: readonly string[], label: Label) => Promise<void>;
};

type SeenNote = { readonly found: NoteStat; readonly bytes: Uint8Array | null };

/**
 * Looks at the notes below folders before something of ours may change them. What it gives is called
 * afterwards, with the label of what flowed there: each part of an entry that was made or changed has it,
 * whatever program wrote it. A part that stood in a note before has the label that it had there.
 */
export async function watchMadeNotes(
  roots: readonly string[],
  parts: MadeNotesParts,
): Promise<(label: Label) => Promise<void>> {
  const real = await Promise.all(roots.map(realOf));
  const folders = await Promise.all(foldersOf(parts.rules.notes).map(realOf));
  const touches = (root: string): boolean =>
    folders.some((folder) => isInside(root, folder) || isInside(folder, root));
  if (!real.some(touches)) return async () => undefined;
  const before = await notesBelow(real, parts);
  const labelBySetup = await watchSetupFiles(parts);
  return async (label) => {
    await labelMadeNotes({ before, roots: real, label }, parts);
    await labelBySetup();
  };
}

/**
 * Looks at the notes that are private by a setup file, or by one that is missing. What it gives is called
 * after something of ours may have changed one: the words of these notes stay private, whatever it says now.
 */
export async function watchSetupFiles(parts: MadeNotesParts): Promise<() => Promise<void>> {
  const { index, rules, keep } = parts;
  const withSetup = await index.filesWithSetup();
  const closed = new Map<string, readonly NoteNode[]>();
  for (const { path } of withSetup) closed.set(path, (await index.nodesInFile(path)).filter(isNotPublic));
  return async () => {
    const isCurrent = makeSetupComparison(rules.notes);
    for (const found of withSetup) {
      const old = closed.get(found.path) ?? [];
      if (old.length === 0 || isCurrent(found.setup)) continue;
      const now = await labelledIn(found.path, await bytesOf(found, parts), parts);
      await keepParts(partsToKeep({ old, now }, bottomLabel), keep);
    }
  };
}

function isNotPublic({ label }: NoteNode): boolean {
  return label.secrecy !== "public";
}

async function keepParts(kept: ReadonlyMap<string, Label>, keep: MadeNotesParts["keep"]): Promise<void> {
  for (const [label, hashes] of Map.groupBy(kept.keys(), (part) => kept.get(part)))
    if (label !== undefined) await keep(hashes, label);
}

async function realOf(path: string): Promise<string> {
  return (await refusedAsNull(realpath(path))) ?? path;
}

/** The notes in some folders, with their bytes as far as those are held. */
async function notesBelow(
  roots: readonly string[],
  parts: MadeNotesParts,
): Promise<ReadonlyMap<string, SeenNote>> {
  const seen = new Map<string, SeenNote>();
  let room = mostBytes;
  for (const found of await listNotes(roots, parts)) {
    room -= found.size;
    const bytes = room < 0 ? null : await bytesOf(found, parts);
    seen.set(found.path, { found, bytes });
  }
  return seen;
}

async function listNotes(
  roots: readonly string[],
  { rules: { notes } }: MadeNotesParts,
): Promise<readonly NoteStat[]> {
  const { files } = await walkNotes(notes, () => null);
  const folders = new Map<string, Promise<string>>();
  const below: NoteStat[] = [];
  for (const found of files.values()) {
    const path = pathOfNote(notes, found.path);
    const folder = folders.get(dirname(path)) ?? realOf(dirname(path));
    folders.set(dirname(path), folder);
    const real = join(await folder, basename(path));
    if (roots.some((root) => isInside(root, path) || isInside(root, real))) below.push(found);
  }
  return below;
}

async function bytesOf(found: NoteStat, { rules: { notes } }: MadeNotesParts): Promise<Uint8Array | null> {
  const read = await readNoteBytes(notes, found);
  return read.kind === "read" ? read.bytes : null;
}

type Made = {
  readonly before: ReadonlyMap<string, SeenNote>;
  readonly roots: readonly string[];
  readonly label: Label;
};

async function labelMadeNotes({ before, roots, label }: Made, parts: MadeNotesParts): Promise<void> {
  const after = await listNotes(roots, parts);
  const changed = after.filter((found) => !isSame(before.get(found.path)?.found, found));
  if (changed.length === 0) return;
  const gone = new Set(before.keys());
  for (const { path } of after) gone.delete(path);
  const old: NoteNode[] = [];
  for (const path of [...gone, ...changed.map((found) => found.path)])
    pushAll(old, await labelledIn(path, before.get(path)?.bytes ?? null, parts));
  const now: NoteNode[] = [];
  for (const found of changed) pushAll(now, await labelledIn(found.path, await bytesOf(found, parts), parts));
  const moving = new Set([...gone, ...changed.map((found) => found.path)]);
  pushAll(old, await nodesElsewhere(now, moving, parts));
  await keepParts(partsToKeep({ old, now }, label), parts.keep);
}

function isSame(one: NoteStat | undefined, other: NoteStat): boolean {
  return (
    one !== undefined &&
    one.inode === other.inode &&
    one.size === other.size &&
    one.modified === other.modified &&
    one.changed === other.changed
  );
}

async function labelledIn(
  path: string,
  bytes: Uint8Array | null,
  { rules }: MadeNotesParts,
): Promise<readonly NoteNode[]> {
  if (bytes === null) return [];
  const { nodes } = await nodesIn({ path: pathOfNote(rules.notes, path), notes: rules.notes }, bytes);
  return labelNodes(nodes, rules);
}

/** The nodes of the titles that were made, in notes that stayed as they were: they are known from there. */
async function nodesElsewhere(
  made: readonly NoteNode[],
  changed: ReadonlySet<string>,
  { index }: MadeNotesParts,
): Promise<readonly NoteNode[]> {
  const elsewhere: NoteNode[] = [];
  for (const title of new Set(made.map((node) => node.title))) {
    if (title === "") continue;
    const found = await index.titled(title, mostOfTitle);
    pushAll(
      elsewhere,
      found.filter((node) => node.title === title && !changed.has(node.file)),
    );
  }
  return elsewhere;
}
