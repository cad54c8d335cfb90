import { randomUUID } from "node:crypto";
import { lineOfSet } from "../../act/trial/set-files.ts";
import { digestOf } from "../../machine/digest.ts";
import type { ChangeRecord, StoredChange } from "../../memory/state/changes.ts";
import { nameOfSession } from "../../memory/state/name-of-session.ts";
import type { State } from "../../memory/state/state.ts";
import { changesFlippedByUndo } from "../../memory/state/undo-path.ts";
import { folderIsGone } from "../../shown/folder-is-gone.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { FileChange } from "../../signal/tool.ts";
import { describeError } from "../../text/describe-error.ts";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { judgeUndo } from "./judge-undo.ts";
import {
  plannedFileChanges,
  planUndo,
  putFileBack,
  restoreFile,
  type UndoPlan,
  undoEffects,
} from "./plan-undo.ts";
import { isPlaceGone } from "./session-place.ts";
import { undoCommand } from "./undo-command.ts";
import type { UndoEnd, UndoParts, UndoRequest, UndoResult } from "./undo-request.ts";

/** Undoes the changes of a turn that crashed. What a person changed since stays as it is. */
export async function revertTurn(
  parts: UndoParts,
  turn: { readonly id: string; readonly session: string },
): Promise<UndoResult> {
  return parts.state.changes.runExclusively(async () => {
    const id = randomUUID();
    const changes = (await parts.state.changes.ofTurn(turn.id)).filter((change) => !change.undone);
    const result = await undoChanges(parts, {
      id,
      session: turn.session,
      turn: turn.id,
      operation: "revert",
      changes,
      memory: () => revertMemory(parts, turn.id, { turn: id, session: turn.session }),
      judge: async () => ({ ok: true, intent: { facts: null, verdict: null, trace: [] } }),
    });
    return result.ok ? result : { done: [], conflicts: [result.reason] };
  });
}

/** Undoes these changes of files that a turn made, the last that are as they say. What a person changed since stays as it is. */
export async function revertChanges(
  parts: UndoParts,
  turn: { readonly id: string; readonly session: string },
  made: readonly FileChange[],
): Promise<void> {
  await parts.state.changes.runExclusively(async () => {
    const own = (await parts.state.changes.ofTurn(turn.id)).filter((change) => !change.undone);
    const changes = made.flatMap(
      ({ path, before, after }) =>
        own.findLast((one) => one.path === path && one.before === before && one.after === after) ?? [],
    );
    await undoChanges(parts, {
      id: randomUUID(),
      session: turn.session,
      turn: turn.id,
      operation: "revert",
      changes,
      memory: nothingInMemory,
      judge: async () => ({ ok: true, intent: { facts: null, verdict: null, trace: [] } }),
    });
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
export async function undoChanges(parts: UndoParts, request: UndoRequest): Promise<UndoEnd> {
  const gone = await folderThatIsGone(parts, request);
  if (gone !== null) return { ok: false, reason: folderIsGone(gone) };
  const done: string[] = [];
  const conflicts: string[] = [];
  let isRefused = true;
  for (const [index, changes] of groupByKind(request.changes).entries()) {
    const part = { ...request, changes, memory: index === 0 ? request.memory : nothingInMemory };
    const isCommand = changes[0]?.kind === "command";
    const next = isCommand ? await undoCommand(parts, part) : await undoFilesAndMemory(parts, part);
    isRefused &&= !next.ok;
    pushAll(done, next.ok ? next.done : []);
    pushAll(conflicts, next.ok ? next.conflicts : [next.reason]);
  }
  return isRefused ? { ok: false, reason: conflicts.join("\n") } : { ok: true, done, conflicts };
}

/** The folder of the session, where changes are to be taken back in it and it is not there. */
async function folderThatIsGone(
  { state }: UndoParts,
  { session, changes }: UndoRequest,
): Promise<string | null> {
  const folder = (await state.sessions.get(session))?.workspace ?? null;
  if (folder === null || !changes.some(({ path }) => isInside(folder, path))) return null;
  return (await isPlaceGone(state, session, folder)) ? folder : null;
}

const nothingInMemory = async (): Promise<UndoResult> => ({ done: [], conflicts: [] });

/**
 * The changes in the order in which they are undone: what one line of commands changed by itself, since files
 * may have changed before and after it. Files and memory come first, also where there are none.
 */
function groupByKind(changes: readonly StoredChange[]): readonly (readonly StoredChange[])[] {
  const groups: StoredChange[][] = [[]];
  for (const change of changes.toReversed()) {
    const line = lineOf(change);
    const last = line === null ? groups.at(-1) : groups.find(([first]) => lineOf(first) === line);
    if (last === undefined || lineOf(last[0]) !== line) groups.push([change]);
    else last.unshift(change);
  }
  return groups;
}

/** The line whose commands made a change; null for what no command made. */
function lineOf(change: StoredChange | undefined): string | null {
  return change?.kind === "command" ? lineOfSet(change.preImage ?? String(change.number)) : null;
}

async function undoFilesAndMemory(parts: UndoParts, request: UndoRequest): Promise<UndoEnd> {
  const { state } = parts;
  const planned = await planUndo(parts, request.changes);
  const permission = await judgeUndo(request, undoEffects(planned, request.operation));
  if (!permission.ok) return permission;
  const { effects, stays } = permission;
  const plan = {
    files: planned.files.filter(({ path }) => !stays.has(path)),
    conflicts: [...planned.conflicts, ...stays.values()],
  };
  const intent = {
    turn: request.turn,
    session: request.session,
    digest: digestOf([request.id, ...plannedFileChanges(plan)]),
    effects,
  };
  await parts.journal({
    kind: "intent",
    ...intent,
    ...permission.intent,
    changes: plannedFileChanges(plan),
    detail: { command: request.operation, id: request.id },
  });
  const memory = await request.memory();
  const before = await state.changes.ofTurn(request.id);
  const numbers = await state.changes.planUndo(recordsOf(request, plan, before.length));
  const undone = request.operation !== "rollback";
  await endMemory(state, { request, memory, number: numbers[plan.files.length] ?? 0, undone });
  const files = await restoreFiles(parts, { request, plan, numbers });
  const done = [...memory.done, ...files.done];
  const conflicts = [...plan.conflicts, ...memory.conflicts, ...files.conflicts];
  const detail = {
    command: request.operation,
    id: request.id,
    done: done.length,
    conflicts: conflicts.length,
  };
  await parts.journal({
    kind: "rollback",
    turn: request.turn,
    session: request.session,
    changes: files.changed,
    detail,
  });
  await parts.journal({ kind: "outcome", ...intent, detail: { status: "success", code: "", ...detail } });
  return { ok: true, done, conflicts };
}

type FilesToRestore = {
  readonly request: UndoRequest;
  readonly plan: UndoPlan;
  /** The number of each change, in the order of the plan's files. */
  readonly numbers: readonly number[];
};

/** Restores the files of a plan one by one, and confirms each change once it is made. */
async function restoreFiles(
  parts: UndoParts,
  { request, plan, numbers }: FilesToRestore,
): Promise<UndoResult & { readonly changed: JournalRecord["changes"] }> {
  const changed: JournalRecord["changes"][number][] = [];
  const done: string[] = [];
  const conflicts: string[] = [];
  const undone = request.operation !== "rollback";
  for (const [index, file] of plan.files.entries()) {
    const { path, before, after } = file;
    const restored = await restoreFile(parts, file);
    if (!restored.ok) {
      conflicts.push(restored.message);
      continue;
    }
    const { message, mode, undid } = restored;
    try {
      await parts.state.changes.confirmUndoChange({ number: numbers[index] ?? 0, mode, undone, undid });
    } catch (fault) {
      const left = message === "" ? null : await putFileBack(parts, file, mode);
      conflicts.push(left ?? describeError(fault));
      continue;
    }
    if (message === "") continue;
    changed.push({ path, before, after });
    const passed = [...new Set(file.passed.map(({ session }) => session))];
    const names = await Promise.all(passed.map((each) => nameOfSession(parts.state.sessions, each)));
    done.push(undone ? message : `Session ${names.join(", ")}: ${message}`);
  }
  return { changed, done, conflicts };
}

/** The changes that an undo makes, as they are kept: one for each file, and the last one for memory. */
function recordsOf({ id, session }: UndoRequest, plan: UndoPlan, recorded: number): readonly ChangeRecord[] {
  const own = { turn: id, session, undone: true };
  const files = plan.files.map(({ path, before, after, modeNow }, index) => ({
    ...own,
    mode: after === null ? modeNow : null,
    sequence: recorded + index + 1,
    kind: "file" as const,
    path,
    before,
    after,
    preImage: before,
  }));
  const memory = {
    kind: "memory" as const,
    path: "memory",
    before: null,
    after: null,
    preImage: null,
    mode: null,
  };
  return [...files, { ...own, ...memory, sequence: recorded + files.length + 1 }];
}

type MemoryEnd = {
  readonly request: UndoRequest;
  readonly memory: UndoResult;
  readonly number: number;
  readonly undone: boolean;
};

/** Ends the change of memory. Where memory did not change, it is marked as undone, since there is nothing to undo. */
async function endMemory(state: State, { request, memory, number, undone }: MemoryEnd): Promise<void> {
  const passed = request.changes.filter(({ kind }) => kind === "memory");
  const undid = memory.conflicts.length > 0 ? [] : changesFlippedByUndo(passed);
  const idle = memory.done.length === 0 && undid.length === 0;
  await state.changes.confirmUndoChange({ number, mode: null, undone: undone || idle, undid });
}
