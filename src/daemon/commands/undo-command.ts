import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { undoSet } from "../../act/trial/change-sets.ts";
import { recoverSet } from "../../act/trial/recover-sets.ts";
import { type ChangeSet, endSet, readSet } from "../../act/trial/set-files.ts";
import type { ChangeRecord } from "../../memory/state/changes.ts";
import { changesFlippedByUndo } from "../../memory/state/undo-path.ts";
import { digestOf } from "../../memory/storage/digest.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import { judgeUndo } from "./judge-undo.ts";
import { noRoomToNote } from "./plan-undo.ts";
import type { UndoEnd, UndoParts, UndoRequest } from "./undo-request.ts";

/** How many paths of a command are named. */
const shown = 20;

/**
 * Undoes what one command changed, and keeps what that displaces as a set of its own, so that it can be undone as well. Files, folders and links come
 * back as they were, with modes and times; what somebody changed since stays.
 */
export async function undoCommand(parts: UndoParts, request: UndoRequest): Promise<UndoEnd> {
  const { state, sets } = parts;
  const [change] = request.changes;
  if (change?.preImage == null) return { ok: true, done: [], conflicts: [] };
  const changes = await readSet(join(sets, change.preImage));
  if (changes === null)
    return {
      ok: true,
      done: [],
      conflicts: [`What a command changed in ${change.path} is no longer kept, so it stays as it is.`],
    };
  if (!(await state.diskReserve.makeRoom(roomOfList(changes))))
    return { ok: true, done: [], conflicts: [`${change.path} stays as it is: ${noRoomToNote}`] };
  const permission = await judgeUndo(request, effectsOf(changes, change.path));
  if (!permission.ok) return permission;
  const { effects, stays } = permission;
  const intent = {
    turn: request.turn,
    session: request.session,
    digest: digestOf([request.id, change.preImage]),
    effects,
  };
  const detail = { command: request.operation, id: request.id };
  await parts.journal({ kind: "intent", ...intent, ...permission.intent, changes: [], detail });
  const set = randomUUID();
  const undone = request.operation !== "rollback";
  const [number = 0] = await state.changes.planUndo([
    { ...recordOf(request, change.path, set), sequence: (await state.changes.ofTurn(request.id)).length + 1 },
  ]);
  const place = join(sets, set);
  const result = await undoSet(join(sets, change.preImage), { place, folder: change.path, stays });
  const isUndone = result.made.length > 0 || result.conflicts.length === 0;
  try {
    // Where nothing was undone, the change stands: /undo tries it again, and /redo does not find it.
    const undid = isUndone ? changesFlippedByUndo(request.changes) : [];
    await state.changes.confirmUndoChange({ number, mode: null, undone: undone || !isUndone, undid });
  } catch {
    // What cannot be noted is not done.
    await recoverSet(place, { isUndoMade: async () => false, dropCommand: async () => {} });
    return { ok: true, done: [], conflicts: [`${change.path} stays as it is: ${noRoomToNote}`] };
  }
  await endSet(place);
  const [done, conflicts] = [result.done, result.conflicts].map(shorten);
  const counts = { done: result.done.length, conflicts: result.conflicts.length };
  await parts.journal({
    kind: "outcome",
    ...intent,
    detail: { status: "success", code: "", ...detail, ...counts },
  });
  return { ok: true, done: done ?? [], conflicts: conflicts ?? [] };
}

/** Bytes of the lists that an undo of a set writes. */
function roomOfList(changes: ChangeSet): number {
  return 3 * JSON.stringify(changes).length;
}

function recordOf({ id, session }: UndoRequest, path: string, set: string): Omit<ChangeRecord, "sequence"> {
  const nothing = { before: null, after: null, mode: null, undone: true };
  return { turn: id, session, kind: "command", path, preImage: set, ...nothing };
}

function effectsOf({ exchanges }: ChangeSet, workspace: string): readonly Effect[] {
  const about = { label: bottomLabel, reversal: "undoable", isKept: true } as const;
  const each = exchanges
    .slice(0, shown)
    .map(
      ({ path, was, becomes }): Effect =>
        was === null
          ? { kind: "delete-path", target: path, ...about }
          : { kind: "write-path", target: path, change: becomes === null ? "create" : "replace", ...about },
    );
  if (exchanges.length <= shown && each.length > 0) return each;
  return [...each, { kind: "write-path", target: workspace, change: "replace", tree: true, ...about }];
}

function shorten(lines: readonly string[]): readonly string[] {
  const more = lines.length - shown;
  return more <= 0 ? lines : [...lines.slice(0, shown), `And ${more} more.`];
}
