import { randomUUID } from "node:crypto";
import { replaceFile } from "../../act/files/replace.ts";
import { forgetDisplaced, forgetDisplacedTexts } from "../../act/trial/forget-displaced.ts";
import type { ChangeRecord } from "../../memory/state/changes.ts";
import { digestOf, sha256 } from "../../memory/storage/digest.ts";
import type { ForgetDerived, ShowDerived } from "../../perceive/forgetting.ts";
import { countOf } from "../../signal/count-of.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { FileChange } from "../../signal/tool.ts";
import type { FileLocks } from "../../turn/file-locks.ts";
import type { CommandReply } from "./command-reply.ts";
import type { NoteLookups } from "./note-lookups.ts";
import {
  type DerivedLookups,
  type DerivedPlan,
  describePlan,
  keptLines,
  planAsData,
  planDerived,
} from "./plan-derived.ts";
import { textsOfTurn } from "./texts-of-turn.ts";
import { type CommandOrigin, findRunningWork, judgeCommand } from "./undo-commands.ts";
import type { UndoParts } from "./undo-request.ts";

/** What taking back what grew from a source needs. */
export type ForgetDerivedParts = UndoParts &
  DerivedLookups &
  Pick<NoteLookups, "noteToForget"> & {
    readonly forgetSetAside: FileLocks["forgetSetAside"];
  };

/**
 * Takes back all that grew from a source, or shows what that would take. Only the owner does this; the writes are judged like any others. Notes and files go by a change that
 * is kept and journalled; for good, everything that was kept of them goes too.
 */
export async function forgetDerived(
  parts: ForgetDerivedParts,
  command: ShowDerived | ForgetDerived,
  by: CommandOrigin,
): Promise<CommandReply> {
  const { source: named } = command;
  return parts.state.changes.runExclusively(async () => {
    const plan = await planDerived(parts, named);
    const { derived } = plan;
    const data = planAsData(plan);
    const isEmpty = derived.notes.length + derived.memories.length + derived.files.length === 0;
    if (isEmpty && derived.turns.length === 0) {
      const kept = keptLines(plan);
      const text = [`Nothing that is known grew from ${named}.`, ...kept].join("\n");
      return { code: "nothing-derived", text, data };
    }
    if (command.kind === "derived") return { code: "derived", text: describePlan(parts, named, plan), data };
    if (command.seen !== null && command.seen !== data["digest"])
      return {
        code: "not-done",
        text: `What grew from ${named} changed since it was shown, so nothing was done. Look at it again.`,
      };
    const busy = await findRunningWork(parts, new Set([by.signal.session]), []);
    if (busy !== null) return { code: "not-done", text: busy };
    return takeBack(parts, plan, { command, by });
  });
}

type Taking = { readonly command: ForgetDerived; readonly by: CommandOrigin };

async function takeBack(
  parts: ForgetDerivedParts,
  plan: DerivedPlan,
  { command: { source, undoable }, by }: Taking,
): Promise<CommandReply> {
  const { session } = by.signal;
  const id = randomUUID();
  const effects = effectsOf(plan, undoable);
  const permission = await judgeCommand(parts, { ...by, effects, command: "forget" });
  if (!permission.ok) return { code: "not-done", text: `Not done: ${permission.reason}` };
  // Copies are known by the note's text, so they are looked for before it goes.
  const copies = undoable ? 0 : await forgetCopies(parts, plan);
  const { changed, failed } = await cutAll(parts, plan, { id, session, effects, intent: permission.intent });
  const gone = undoable ? "" : await forgetKept(parts, plan, { session, changed });
  await parts.journal({
    kind: "note",
    session,
    detail: {
      event: "forgotten-derived",
      id,
      source,
      undoable,
      files: changed.length,
      copies,
      turns: plan.derived.turns.length,
    },
  });
  const counts = [
    countOf(plan.derived.notes.length, "note"),
    countOf(plan.derived.memories.length, "remembered fact"),
    countOf(changed.length, "changed file"),
  ].join(", ");
  const lines = [
    undoable
      ? `Taken back: ${counts}. /undo in this session brings it back.`
      : `Forgotten for good: ${counts}${gone}.`,
    ...keptLines(plan),
    ...failed,
    ...plan.problems,
  ];
  return { code: "forgotten", text: parts.policy.filter(lines.join("\n")) };
}

function effectsOf({ cuts }: DerivedPlan, undoable: boolean): readonly Effect[] {
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

type Cutting = {
  /** The id under which the changes are kept. */
  readonly id: string;
  readonly session: string;
  readonly effects: readonly Effect[];
  readonly intent: Extract<Awaited<ReturnType<typeof judgeCommand>>, { readonly ok: true }>["intent"];
};

/** The files that were changed, and why others were not. */
type CutEnd = { readonly changed: readonly string[]; readonly failed: readonly string[] };

/** Takes the memories and cuts the files, each change kept before it is made, as one thing that `/undo` takes back. */
async function cutAll(parts: ForgetDerivedParts, plan: DerivedPlan, cutting: Cutting): Promise<CutEnd> {
  const { id, session, effects, intent } = cutting;
  const files = changesOf(plan);
  const about = { turn: null, session, digest: digestOf([id, ...files]), effects };
  await parts.journal({
    kind: "intent",
    ...about,
    ...intent,
    changes: files,
    detail: { command: "forget", id },
  });
  const numbers = await parts.state.changes.planUndo(recordsOf(plan, cutting));
  await removeMemories(parts, plan, { ...cutting, number: numbers.at(-1) ?? 0 });
  const end = await cutFiles(parts, plan, numbers);
  const detail = { command: "forget", id, done: end.changed.length, conflicts: end.failed.length };
  await parts.journal({ kind: "outcome", ...about, detail: { status: "success", code: "", ...detail } });
  return end;
}

function changesOf({ cuts }: DerivedPlan): readonly FileChange[] {
  return cuts.map(({ path, from, bytes }) => ({
    path,
    before: sha256(from),
    after: bytes === null ? null : sha256(bytes),
  }));
}

/** The changes as they are kept: one for each file, and the last one for memory. */
function recordsOf(plan: DerivedPlan, { id, session }: Cutting): readonly ChangeRecord[] {
  const own = { turn: id, session, mode: null, undone: true };
  const files = changesOf(plan).map(
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
  { state }: ForgetDerivedParts,
  { derived: { memories } }: DerivedPlan,
  { id, session, number }: Cutting & { readonly number: number },
): Promise<void> {
  for (const object of memories) await state.objects.remove("own", object.id, { turn: id, session });
  const undone = memories.length === 0;
  await state.changes.confirmUndoChange({ number, mode: null, undone, undid: [] });
}

async function cutFiles(
  { state, keepPreImage }: ForgetDerivedParts,
  { cuts }: DerivedPlan,
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

/** Deletes the copies of the notes that were set aside, and those that commands displaced. */
async function forgetCopies(parts: ForgetDerivedParts, { derived, cuts }: DerivedPlan): Promise<number> {
  let count = 0;
  for (const { id } of derived.notes) count += await parts.forgetSetAside(await parts.noteToForget(id));
  for (const { path } of cuts) count += await forgetDisplaced(parts.sets, path);
  return count;
}

/** Deletes what was kept of all this; says what that was. */
async function forgetKept(
  { state, sets }: ForgetDerivedParts,
  { source, derived }: DerivedPlan,
  { session, changed }: { readonly session: string; readonly changed: readonly string[] },
): Promise<string> {
  const own = new Set(source.turns.map(({ id }) => id));
  const turns = derived.turns.filter(({ id }) => !own.has(id));
  const edits = (await state.deferredEdits.all()).filter(
    ({ turn, label }) => own.has(turn) || derived.isDerived(label),
  );
  const forgotten = await state.forgetGrown(
    {
      objects: derived.memories.map(({ id }) => id),
      files: changed,
      edits: edits.map(({ id }) => id),
      wholeTurns: [...own],
      turns: turns.map(({ id }) => id),
      isDerived: derived.isDerived,
    },
    { turn: null, session },
  );
  await forgetDisplacedTexts(sets, source.turns.flatMap(textsOfTurn));
  return `, texts of ${countOf(forgotten.turns, "turn")}, ${countOf(forgotten.preImages, "kept version")}, ${countOf(forgotten.edits, "deferred edit")}`;
}
