import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import { undoSet } from "../../act/trial/change-sets.ts";
import { findHomeless, planUndoSet, type UndoSetPlan } from "../../act/trial/plan-undo-set.ts";
import { recoverSet } from "../../act/trial/recover-sets.ts";
import { type ChangeSet, endSet, nameSet, readSet, type SetEntry } from "../../act/trial/set-files.ts";
import { textOf } from "../../act/trial/text-of.ts";
import { noteCommits } from "../../act/trial/undone-commits.ts";
import { digestOf } from "../../machine/digest.ts";
import type { ChangeRecord, StoredChange } from "../../memory/state/changes.ts";
import { changesFlippedByUndo } from "../../memory/state/undo-path.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import { holdsOnlyCertificates } from "../../text/certificates.ts";
import { judgeUndo } from "./judge-undo.ts";
import { noRoomToNote } from "./plan-undo.ts";
import type { UndoEnd, UndoParts, UndoRequest, UndoResult } from "./undo-request.ts";

/** How many paths of a command are named. */
const shown = 20;

/**
 * Undoes what one line of commands changed, and keeps what that displaces as sets of its own, so that it can
 * be undone as well. Files, folders and links come
 * back as they were, with modes and times; what somebody changed since stays. Of a line that changed several
 * folders all is taken back or nothing, since what one of them lost may be what another one got.
 */
export async function undoCommand(parts: UndoParts, request: UndoRequest): Promise<UndoEnd> {
  const { state, sets } = parts;
  const kept: KeptSet[] = [];
  for (const change of request.changes.toReversed()) {
    if (change.preImage === null) continue;
    const changes = await readSet(join(sets, change.preImage));
    if (changes === null)
      return nothingUndone(request, [
        `What a command changed in ${change.path} is no longer kept, so it stays as it is.`,
      ]);
    kept.push({ change, set: join(sets, change.preImage), changes });
  }
  const [last] = kept;
  if (last === undefined) return { ok: true, done: [], conflicts: [] };
  const room = kept.reduce((sum, { changes }) => sum + roomOfList(changes), 0);
  if (!(await state.diskReserve.makeRoom(room)))
    return nothingUndone(request, [`${last.change.path} stays as it is: ${noRoomToNote}`]);
  const permission = await judgeUndo(
    request,
    kept.flatMap(({ changes, change }) => effectsOf(changes, { workspace: change.path, sets })),
  );
  if (!permission.ok) return permission;
  const planned = await planAll(kept, permission.stays);
  const plans = planned.map(({ plan }) => plan);
  const problems = [...plans.flatMap(({ conflicts }) => conflicts), ...(await findHomeless(plans))];
  if (kept.length > 1 && problems.length > 0) return nothingUndone(request, problems);
  const intent = {
    turn: request.turn,
    session: request.session,
    digest: digestOf([request.id, ...kept.map(({ set }) => basename(set))]),
    effects: permission.effects,
  };
  const detail = { command: request.operation, id: request.id };
  await parts.journal({ kind: "intent", ...intent, ...permission.intent, changes: [], detail });
  const { done, conflicts } = await undoAll(parts, request, planned);
  const counts = { done: done.length, conflicts: conflicts.length };
  await parts.journal({
    kind: "outcome",
    ...intent,
    detail: { status: "success", code: "", ...detail, ...counts },
  });
  if (done.length === 0) return nothingUndone(request, conflicts);
  return { ok: true, done: shorten(done), conflicts: shorten(conflicts) };
}

/** What a command changed in one folder. */
type KeptSet = { readonly change: StoredChange; readonly set: string; readonly changes: ChangeSet };

type PlannedSet = { readonly change: StoredChange; readonly plan: UndoSetPlan };

/** The end of an undo that takes nothing back. */
function nothingUndone({ changes }: UndoRequest, conflicts: readonly string[]): UndoEnd {
  const folders = [...new Set(changes.map(({ path }) => path))].join(", ");
  const why = `The command changed several things together (in ${folders}), so nothing of it was taken back. Where it can be, make what is named here again as the command left it, then repeat this.`;
  const isAlone = changes.length < 2 || conflicts.length === 0;
  return { ok: true, done: [], conflicts: [...shorten(conflicts), ...(isAlone ? [] : [why])] };
}

/**
 * Plans the undo of all sets of a line, the last one first: what it deleted comes back before the rest goes.
 */
async function planAll(
  kept: readonly KeptSet[],
  stays: ReadonlyMap<string, string>,
): Promise<readonly PlannedSet[]> {
  const planned: PlannedSet[] = [];
  for (const { change, set } of kept) {
    const earlier = planned.flatMap(({ plan }) => plan.exchanges);
    planned.push({ change, plan: await planUndoSet(set, { stays, earlier }) });
  }
  return planned;
}

/** Undoes the sets of a line one after the other, until one of them cannot be undone as a whole. */
async function undoAll(
  parts: UndoParts,
  request: UndoRequest,
  planned: readonly PlannedSet[],
): Promise<UndoResult> {
  const line = randomUUID();
  const done = new Set<string>();
  for (const [index, { change, plan }] of planned.entries()) {
    const result = await undoOne(parts, { ...request, changes: [change] }, { plan, set: nameSet(line) });
    for (const words of result.done) done.add(words);
    if (result.conflicts.length === 0) continue;
    const isLast = done.size === 0 || index === planned.length - 1;
    const rest = `The rest of what the command changed in ${change.path} and elsewhere stays as it is, since it may be what could not come back.`;
    return { done: [...done], conflicts: [...result.conflicts, ...(isLast ? [] : [rest])] };
  }
  return { done: [...done], conflicts: [] };
}

async function undoOne(
  { state, sets }: UndoParts,
  request: UndoRequest,
  { plan, set }: { readonly plan: UndoSetPlan; readonly set: string },
): Promise<UndoResult> {
  const folder = request.changes.map(({ path }) => path).join();
  const undone = request.operation !== "rollback";
  const [number = 0] = await state.changes.planUndo([
    { ...recordOf(request, folder, set), sequence: (await state.changes.ofTurn(request.id)).length + 1 },
  ]);
  const place = join(sets, set);
  const tellCommits = noteCommits(plan);
  const result = await undoSet(plan, { place, folder });
  const { conflicts, made } = result;
  const isUndone = made.length > 0 || conflicts.length === 0;
  try {
    // Where nothing was undone, the change stands: /undo tries it again, and /redo does not find it.
    const undid = isUndone ? changesFlippedByUndo(request.changes) : [];
    await state.changes.confirmUndoChange({ number, mode: null, undone: undone || !isUndone, undid });
  } catch {
    // What cannot be noted is not done.
    await recoverSet(place, { isUndoMade: async () => false, dropCommand: async () => {} });
    return { done: [], conflicts: [`${folder} stays as it is: ${noRoomToNote}`] };
  }
  await endSet(place);
  return { done: tellCommits(result), conflicts };
}

/** Bytes of the lists that an undo of a set writes. */
function roomOfList(changes: ChangeSet): number {
  return 3 * JSON.stringify(changes).length;
}

function recordOf({ id, session }: UndoRequest, path: string, set: string): Omit<ChangeRecord, "sequence"> {
  const nothing = { before: null, after: null, mode: null, undone: true };
  return { turn: id, session, kind: "command", path, preImage: set, ...nothing };
}

function effectsOf(
  { exchanges }: ChangeSet,
  { workspace, sets }: { readonly workspace: string; readonly sets: string },
): readonly Effect[] {
  const about = { label: bottomLabel, reversal: "undoable", isKept: true } as const;
  const each = exchanges.slice(0, shown).map((entry): Effect => {
    const { path: target, was, becomes } = entry;
    if (was === null) return { kind: "delete-path", target, ...about };
    const change = becomes === null ? "create" : "replace";
    return { kind: "write-path", target, change, ...about, ...certificates(entry, sets) };
  });
  if (exchanges.length <= shown && each.length > 0) return each;
  return [...each, { kind: "write-path", target: workspace, change: "replace", tree: true, ...about }];
}

/**
 * Whether what comes back is public certificates alone, and what it takes the place of as well. Where that
 * changes until it comes back, it is a conflict.
 */
function certificates(
  { path, was, becomes, aside }: SetEntry,
  sets: string,
): { readonly certificates?: true } {
  if (!/\.pem$/i.test(path) || was !== "file" || aside === null) return {};
  const files = [join(sets, aside), ...(becomes === null ? [] : [path])];
  return files.every((each) => holdsOnlyCertificates(textOf(each) ?? "")) ? { certificates: true } : {};
}

function shorten(lines: readonly string[]): readonly string[] {
  const more = lines.length - shown;
  return more <= 0 ? lines : [...lines.slice(0, shown), `And ${more} more.`];
}
