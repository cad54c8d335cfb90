import type { ChangeRecord, StoredChange } from "../memory/state/changes.ts";
import type { State } from "../memory/state/state.ts";
import { editUnknown } from "../signal/editor-buffer.ts";
import { requiresForcedIntent } from "../signal/effect.ts";
import type { FileDiff } from "../signal/file-diff.ts";
import type { Outcome } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { isInside } from "../text/is-inside.ts";
import { type CallQueue, onlyWritesFiles, usedAlone } from "./call-queue.ts";
import { type CleanTreeParts, tellUncleanTree } from "./code-standards.ts";
import {
  type DeferEditParts,
  deferEdit,
  type FindLockedFileParts,
  findLockedFile,
  type LockedFile,
} from "./defer-edit.ts";
import { journalEndedPlans } from "./journal-ended-plans.ts";
import {
  type CallWithVerdict,
  type JudgeCallParts,
  journalFields,
  judgeCall,
  type PreparedCall,
  toolNameOf,
} from "./judge-call.ts";
import { type PreviewParts, previewOf } from "./preview-of.ts";
import { type CallOutcome, recordResult } from "./record-result.ts";
import { recordRound } from "./record-round.ts";
import { type ShowOutputParts, withView } from "./show-output.ts";

/** What running a call needs. */
export type RunCallParts = JudgeCallParts &
  FindLockedFileParts &
  DeferEditParts &
  ShowOutputParts &
  CleanTreeParts &
  PreviewParts & {
    readonly state: Pick<State, "changes" | "flightPlans">;
    readonly calls: CallQueue;
    /** Aborted when the process is closing. */
    readonly closing: AbortSignal;
  };

/** The code of an outcome that the next process finds: what was begun goes on there, and the turn stays on the disk as it is. */
export const leftRunning = "left-running";

/**
 * Runs a call that passed. It is prepared and judged again right before it runs; unless it still passes with the same digest, its result is the error `changed`.
 * The journal gets the intent (on the disk before anything changes), then the call runs, then the journal gets its outcome.
 * A call that changes files waits until no call of another session changes them, and an act for a request
 * until no other sub-task acts for it: what was done meanwhile is seen when it is judged again.
 */
export async function runCall(
  parts: RunCallParts,
  turn: Turn,
  judged: CallWithVerdict,
  cancel: AbortSignal,
): Promise<Turn> {
  return parts.calls.run(usedAlone(turn, judged.prepared), () => runAlone(parts, turn, judged, cancel));
}

async function runAlone(
  parts: RunCallParts,
  turn: Turn,
  judged: CallWithVerdict,
  cancel: AbortSignal,
): Promise<Turn> {
  const last = await judgeCall(parts, turn, judged.call);
  if (last.verdict === null || last.verdict.decision !== "pass")
    return refuseChanged(parts, turn, judged, last.prepared.ok && last.prepared.facts.unreadWords === true);
  const { prepared, verdict } = last;
  // Deferred, it is judged once more, so that it may differ: an editor that told its buffer may have fallen
  // silent.
  const locked = await findLockedFile(parts, turn, prepared);
  if (locked !== null) return deferEdit(parts, turn, last, locked);
  if (prepared.digest !== judged.prepared.digest) return refuseChanged(parts, turn, judged);
  if (last.planUse !== undefined && !(await parts.state.flightPlans.use(last.planUse))) {
    const message = "The flight plan ended before this step, so it was not run. Propose it again.";
    return recordResult(parts, turn, judged, { outcome: { status: "error", code: "changed", message } });
  }
  if (last.planUse !== undefined) await journalEndedPlans(parts);
  await tellUncleanTree(parts, turn, { prepared, cancel });
  const acting: Turn = { ...turn, state: "acting", running: prepared.digest, updatedAt: parts.clock() };
  await parts.journal({
    kind: "intent",
    ...journalFields(turn, prepared, verdict),
    detail: {
      tool: toolNameOf(judged),
      call: judged.call.id,
      approval: turn.approved?.by.slice(0, 8) ?? null,
      ...(prepared.resumes === undefined ? {} : { resumes: true }),
    },
  });
  const known = await parts.state.changes.withSubTasks(turn.id);
  const changes = changeRecords(turn, prepared, lastSequence(turn, known) + 1);
  const durability = prepared.effects.some(requiresForcedIntent) ? "forced" : "unforced";
  await parts.state.commit({ turn: acting, durability, changes });
  const preview = await previewOf(parts, turn, prepared);
  const begun = performance.now();
  const outcome = await withView(parts, { turn, ...last }, (view) => prepared.run(cancel, view));
  if (parts.closing.aborted && outcome.status === "error" && outcome.code === leftRunning) return acting;
  const isSame = outcome.status === "success" && (await changesNothing(prepared));
  const shown = {
    milliseconds: Math.round(performance.now() - begun + (prepared.ranFor ?? 0)),
    ...shownChanges((await madeBy(parts, turn, prepared)) ?? changesOf(parts, outcome, preview), isSame),
    made: await changesMade(parts, turn, known),
  };
  await journalOutcome(parts, turn, { prepared, outcome });
  if (goesOn(outcome)) return recordRound(parts, acting, last, outcome);
  const late = await lockedMeanwhile(parts, turn, { prepared, outcome });
  return late === null
    ? recordResult(parts, acting, last, { outcome, ...shown })
    : deferEdit(parts, acting, last, late);
}

function refuseChanged(
  parts: RunCallParts,
  turn: Turn,
  judged: CallWithVerdict,
  isUnread = false,
): Promise<Turn> {
  const message = isUnread
    ? "The owner said something new after it was judged, so it was not run. Read those words first."
    : "Its effects changed after it was judged, so it was not run. Propose it again.";
  return recordResult(parts, turn, judged, { outcome: { status: "error", code: "changed", message } });
}

/**
 * The file that a run could not change, since an editor holds it or did not change its buffer; null for every
 * other outcome.
 */
async function lockedMeanwhile(
  parts: FindLockedFileParts,
  turn: Turn,
  { prepared, outcome }: { readonly prepared: PreparedCall; readonly outcome: Outcome },
): Promise<LockedFile | null> {
  if (outcome.status !== "error") return null;
  const { code, message } = outcome;
  const held = prepared.changes.find(({ inBuffer }) => inBuffer !== undefined);
  if (held !== undefined && code === "locked") return { path: held.path, why: message };
  if (held !== undefined && code === editUnknown)
    return { path: held.path, why: message, attempted: prepared.changes };
  return code === "locked" ? findLockedFile(parts, turn, prepared) : null;
}

/** Numbers of the changes that a turn, or a sub-task of it, made besides those known before. */
async function changesMade(
  { state }: Pick<RunCallParts, "state">,
  { id }: Turn,
  known: readonly StoredChange[],
): Promise<readonly number[]> {
  const before = new Set(known.map(({ number }) => number));
  const now = await state.changes.withSubTasks(id);
  return now.flatMap(({ number }) => (before.has(number) ? [] : [number]));
}

/** Journals what came of a call. */
async function journalOutcome(
  parts: RunCallParts,
  turn: Turn,
  { prepared, outcome }: { readonly prepared: PreparedCall; readonly outcome: Outcome },
): Promise<void> {
  await parts.journal({
    kind: "outcome",
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    effects: prepared.effects,
    detail: {
      status: outcome.status,
      code: outcome.status === "error" ? outcome.code : "",
      ...(goesOn(outcome) ? { further: true } : {}),
    },
  });
}

/** Whether a call is prepared again, with what this round of it gave. */
function goesOn(outcome: Outcome): outcome is Outcome & { readonly status: "success" } {
  return outcome.status === "success" && outcome.further === true;
}

/** What was changed of what the preview shows. What failed changed nothing, unless it says so. */
function changesOf(
  { filter }: Pick<RunCallParts, "filter">,
  { status, changed }: Outcome,
  preview: readonly FileDiff[],
): readonly FileDiff[] {
  const made = changed?.map(filter);
  if (made === undefined) return status === "success" ? preview : [];
  return preview.filter((diff) => made.some((path) => isInside(path, diff.path)));
}

/** What was changed, where only the run came to know that; null where the preview shows it. */
async function madeBy(
  parts: PreviewParts,
  turn: Turn,
  { preview }: Pick<PreparedCall, "preview">,
): Promise<readonly FileDiff[] | null> {
  if (preview?.made === undefined) return null;
  const { label, diffs } = await preview.made();
  return previewOf(parts, turn, { preview: { label, diffs: () => Promise.resolve(diffs) } });
}

/** Whether a call that writes files alone finds them as it wants them. */
async function changesNothing({ effects, preview }: PreparedCall): Promise<boolean> {
  if (preview === undefined || preview.made !== undefined || !onlyWritesFiles({ effects })) return false;
  return (await preview.diffs()).length === 0;
}

/** An empty list says that nothing changed; none is told where nobody knows, or may know. */
function shownChanges(changes: readonly FileDiff[], isSame: boolean): Pick<CallOutcome, "changes"> {
  return changes.length > 0 || isSame ? { changes } : {};
}

function lastSequence({ id }: Turn, changes: readonly StoredChange[]): number {
  return changes.findLast(({ turn }) => turn === id)?.sequence ?? 0;
}

/** Changes as they are recorded before they are made. A change that is made again after a crash is recorded again. */
function changeRecords(turn: Turn, prepared: PreparedCall, first: number): readonly ChangeRecord[] {
  return prepared.changes.map((change, index) => ({
    turn: turn.id,
    session: turn.session,
    sequence: first + index,
    kind: "file",
    path: change.path,
    before: change.before,
    after: change.after,
    preImage: change.before,
    mode: null,
    undone: false,
  }));
}
