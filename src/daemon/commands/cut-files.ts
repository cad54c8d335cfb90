import { replaceFile } from "../../act/files/replace.ts";
import { digestOf, sha256 } from "../../machine/digest.ts";
import type { ChangeRecord } from "../../memory/state/changes.ts";
import type { MemoryObject } from "../../memory/state/memory-object.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { FileChange } from "../../signal/tool.ts";
import type { FileCut } from "./plan-derived.ts";
import type { judgeCommand } from "./undo-commands.ts";
import type { UndoParts } from "./undo-request.ts";

/** What is taken away: parts of files, and memories. */
export type Cuts = {
  readonly cuts: readonly Pick<FileCut, "path" | "from" | "bytes">[];
  readonly memories: readonly MemoryObject[];
};

/** A cutting that was judged. */
export type Cutting = {
  /** The id under which the changes are kept. */
  readonly id: string;
  readonly session: string;
  readonly effects: readonly Effect[];
  readonly intent: Extract<Awaited<ReturnType<typeof judgeCommand>>, { readonly ok: true }>["intent"];
};

/** The files that were changed, and why others were not. */
export type CutEnd = { readonly changed: readonly string[]; readonly failed: readonly string[] };

/** The effects of cutting, for the judge. */
export function effectsOfCuts({ cuts }: Pick<Cuts, "cuts">, undoable: boolean): readonly Effect[] {
  const about = { label: bottomLabel, reversal: undoable ? "undoable" : "final" } as const;
  return [
    { kind: "change-memory", target: "forget", realm: "own", operation: "forget", ...about },
    ...cuts.map(
      ({ path, bytes }): Effect =>
        bytes === null
          ? { kind: "delete-path", target: path, ...about, reversal: "undoable" }
          : { kind: "write-path", target: path, change: "replace", ...about, reversal: "undoable" },
    ),
  ];
}

/** Takes the memories and cuts the files, each change kept before it is made, as one thing that `/undo` takes back. */
export async function cutAll(parts: UndoParts, what: Cuts, cutting: Cutting): Promise<CutEnd> {
  const { id, session, effects, intent } = cutting;
  const files = changesOf(what);
  const about = { turn: null, session, digest: digestOf([id, ...files]), effects };
  await parts.journal({
    kind: "intent",
    ...about,
    ...intent,
    changes: files,
    detail: { command: "forget", id },
  });
  const numbers = await parts.state.changes.planUndo(recordsOf(what, cutting));
  await removeMemories(parts, what, { ...cutting, number: numbers.at(-1) ?? 0 });
  const end = await cutFiles(parts, what, numbers);
  const detail = { command: "forget", id, done: end.changed.length, conflicts: end.failed.length };
  await parts.journal({ kind: "outcome", ...about, detail: { status: "success", code: "", ...detail } });
  return end;
}

function changesOf({ cuts }: Cuts): readonly FileChange[] {
  return cuts.map(({ path, from, bytes }) => ({
    path,
    before: sha256(from),
    after: bytes === null ? null : sha256(bytes),
  }));
}

/** The changes as they are kept: one for each file, and the last one for memory. */
function recordsOf(what: Cuts, { id, session }: Cutting): readonly ChangeRecord[] {
  const own = { turn: id, session, mode: null, undone: true };
  const files = changesOf(what).map(
    (file, index): ChangeRecord => ({
      ...own,
      ...file,
      sequence: index + 1,
      kind: "file",
      preImage: file.before,
    }),
  );
  const nothing = { before: null, after: null, preImage: null };
  return [...files, { ...own, ...nothing, kind: "memory", path: "memory", sequence: files.length + 1 }];
}

async function removeMemories(
  { state }: UndoParts,
  { memories }: Cuts,
  { id, session, number }: Cutting & { readonly number: number },
): Promise<void> {
  for (const object of memories) await state.objects.remove("own", object.id, { turn: id, session });
  const undone = memories.length === 0;
  await state.changes.confirmUndoChange({ number, mode: null, undone, undid: [] });
}

async function cutFiles(
  { state, keepPreImage }: UndoParts,
  { cuts }: Cuts,
  numbers: readonly number[],
): Promise<CutEnd> {
  const changed: string[] = [];
  const failed: string[] = [];
  for (const [index, { path, from, bytes }] of cuts.entries()) {
    let mode: number | null = null;
    const replaced = await replaceFile({
      path,
      before: from,
      after: bytes,
      mode: null,
      keepPreImage: (versions) => {
        mode = bytes === null ? versions.mode : null;
        return keepPreImage(versions);
      },
    });
    if (!replaced.ok) {
      failed.push(replaced.message);
      continue;
    }
    await state.changes.confirmUndoChange({ number: numbers[index] ?? 0, mode, undone: false, undid: [] });
    changed.push(path);
  }
  return { changed, failed };
}
