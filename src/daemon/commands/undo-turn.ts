import { randomUUID } from "node:crypto";
import type { ChangeRecord, StoredChange } from "../../memory/state/changes.ts";
import type { State } from "../../memory/state/state.ts";
import { changesFlippedByUndo } from "../../memory/state/undo-path.ts";
import { digestOf } from "../../memory/storage/digest.ts";
import type { Policy } from "../../settings/policy.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import {
  type FileUndoParts,
  plannedFileChanges,
  planUndo,
  restoreFile,
  type UndoPlan,
  undoEffects,
} from "./plan-undo.ts";

/** What undoing needs. */
export type UndoParts = FileUndoParts & {
  readonly policy: Policy;
  readonly journal: AppendToJournal;
};

/** What was undone, and the conflicts, each as a line of text. */
export type UndoResult = { readonly done: readonly string[]; readonly conflicts: readonly string[] };

/** A request to undo changes. It has an id of its own, under which its own changes are kept. */
export type UndoRequest = {
  readonly id: string;
  readonly session: string;
  /** The turn that it belongs to; null for a command of the owner. */
  readonly turn: string | null;
  readonly operation: "undo" | "rollback" | "revert";
  /** In the order in which they were made. */
  readonly changes: readonly StoredChange[];
  /** Undoes the changes of memory; it runs before the files. */
  readonly memory: () => Promise<UndoResult>;
  /** Judges the effects of the plan. */
  readonly judged: (plan: UndoPlan) => Promise<UndoDecision>;
};

/** The judge's decision on an undo: what the intent records of it, or why nothing is done. */
export type UndoDecision =
  | { readonly ok: true; readonly intent: Pick<JournalRecord, "facts" | "verdict" | "trace"> }
  | { readonly ok: false; readonly reason: string };

/** Undoes the changes of a turn that crashed. What a person changed since stays as it is. */
export async function revertTurn(
  parts: UndoParts,
  turn: { readonly id: string; readonly session: string },
): Promise<UndoResult> {
  return parts.state.changes.runExclusively(async () => {
    const id = randomUUID();
    const changes = (await parts.state.changes.ofTurn(turn.id)).filter((change) => !change.undone);
    const taken = await undoChanges(parts, {
      id,
      session: turn.session,
      turn: turn.id,
      operation: "revert",
      changes,
      memory: () => revertMemory(parts, turn.id, { turn: id, session: turn.session }),
      judged: async () => ({ ok: true, intent: { facts: null, verdict: null, trace: [] } }),
    });
    return taken.ok ? taken : { done: [], conflicts: [taken.reason] };
  });
}

/** Undoes what a turn, or an undo, changed of memory. */
export async function revertMemory(
  { state }: UndoParts,
  turn: string,
  author: { readonly turn: string; readonly session: string },
): Promise<UndoResult> {
  const { reverted, conflicts } = await state.objects.revertTurn(turn, author);
  const count = (number: number): string => `${number} object${number === 1 ? "" : "s"} of memory`;
  return {
    done: reverted.length === 0 ? [] : [`${count(reverted.length)} restored.`],
    conflicts:
      conflicts.length === 0
        ? []
        : [`${count(conflicts.length)} changed since or forgotten, and left as they are.`],
  };
}

/**
 * Undoes changes: plans, judges, forces the intent with the digests before and after into the journal, keeps every change before it is
 * made, and journals the outcome. What a kill leaves unfinished can still be undone.
 */
export async function undoChanges(
  parts: UndoParts,
  taking: UndoRequest,
): Promise<(UndoResult & { readonly ok: true }) | { readonly ok: false; readonly reason: string }> {
  const { state } = parts;
  const plan = await planUndo(parts, taking.changes);
  const permission = await taking.judged(plan);
  if (!permission.ok) return permission;
  const intent = {
    turn: taking.turn,
    session: taking.session,
    digest: digestOf([taking.id, ...plannedFileChanges(plan)]),
    effects: undoEffects(plan, taking.operation),
  };
  await parts.journal({
    kind: "intent",
    ...intent,
    ...permission.intent,
    changes: plannedFileChanges(plan),
    detail: { command: taking.operation, id: taking.id },
  });
  const memory = await taking.memory();
  const numbers = await state.changes.planUndo(recordsOf(taking, plan));
  const done = [...memory.done];
  const conflicts = [...plan.conflicts, ...memory.conflicts];
  const undone = taking.operation !== "rollback";
  await endMemory(state, { taking, memory, number: numbers[plan.files.length] ?? 0, undone });
  const made: JournalRecord["changes"][number][] = [];
  for (const [index, file] of plan.files.entries()) {
    const { path, before, after } = file;
    const back = await restoreFile(parts, file);
    if (!back.ok) {
      conflicts.push(back.message);
      continue;
    }
    const number = numbers[index] ?? 0;
    await state.changes.confirmUndoChange({ number, mode: back.mode, undone, undid: back.undid });
    if (back.message === "") continue;
    made.push({ path, before, after });
    const sessions = [...new Set(file.passed.map(({ session }) => session))];
    done.push(
      taking.operation === "rollback" ? `Session ${sessions.join(", ")}: ${back.message}` : back.message,
    );
  }
  const detail = { command: taking.operation, id: taking.id, done: done.length, conflicts: conflicts.length };
  await parts.journal({
    kind: "rollback",
    turn: taking.turn,
    session: taking.session,
    changes: made,
    detail,
  });
  await parts.journal({ kind: "outcome", ...intent, detail: { status: "success", code: "", ...detail } });
  return { ok: true, done, conflicts };
}

/** The changes that an undo makes, as they are kept: one for each file, and the last one for memory. */
function recordsOf({ id, session }: UndoRequest, plan: UndoPlan): readonly ChangeRecord[] {
  const own = { turn: id, session, mode: null, undone: true };
  const files = plan.files.map(({ path, before, after }, index) => ({
    ...own,
    sequence: index + 1,
    kind: "file" as const,
    path,
    before,
    after,
    preImage: before,
  }));
  const memory = { kind: "memory" as const, path: "memory", before: null, after: null, preImage: null };
  return [...files, { ...own, ...memory, sequence: files.length + 1 }];
}

type MemoryEnd = {
  readonly taking: UndoRequest;
  readonly memory: UndoResult;
  readonly number: number;
  readonly undone: boolean;
};

/** Ends the change of memory. Where memory did not change, it is marked as undone, since there is nothing to undo. */
async function endMemory(state: State, { taking, memory, number, undone }: MemoryEnd): Promise<void> {
  const passed = taking.changes.filter(({ kind }) => kind === "memory");
  const undid = memory.conflicts.length > 0 ? [] : changesFlippedByUndo(passed);
  const idle = memory.done.length === 0 && undid.length === 0;
  await state.changes.confirmUndoChange({ number, mode: null, undone: undone || idle, undid });
}
