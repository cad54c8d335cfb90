import { basename } from "node:path";
import type { State } from "../memory/state/state.ts";
import { joinAll } from "../signal/label.ts";
import type { FileChange } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { deferralNotice, deferredEditId, isDeferredEditTurn } from "./deferred-edit-turn.ts";
import type { FileLocks } from "./file-locks.ts";
import type { CallWithVerdict, PreparedCall } from "./judge-call.ts";
import { newDeferredEdit } from "./new-deferred-edit.ts";
import { labelOfAgent, type RecordResultParts, recordResult } from "./record-result.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** A file that may not be written now, and why, in words. */
export type LockedFile = {
  readonly path: string;
  readonly why: string;
  /**
   * The changes that were begun in a buffer, where nobody knows whether they were made; left out where none
   * was.
   */
  readonly attempted?: readonly FileChange[];
};

/** What looking for locked files needs. */
export type FindLockedFileParts = {
  readonly state: Pick<State, "deferredEdits">;
  readonly locks: Pick<FileLocks, "holderOf">;
};

/** What deferring an edit needs. */
export type DeferEditParts = RecordResultParts & {
  readonly state: Pick<State, "deferredEdits">;
  readonly locks: Pick<FileLocks, "holdOff" | "keepBase" | "watch">;
  readonly journal: AppendToJournal;
};

/**
 * The first file that an action would change and that an editor holds, unless its buffer is changed, or that
 * an earlier edit waits for; null if there is none.
 */
export async function findLockedFile(
  parts: FindLockedFileParts,
  turn: Turn,
  { changes }: PreparedCall,
): Promise<LockedFile | null> {
  const waiting = isDeferredEditTurn(turn) ? [] : await parts.state.deferredEdits.all();
  for (const { path, inBuffer } of changes) {
    const why = inBuffer !== undefined ? null : await parts.locks.holderOf(path);
    if (why !== null) return { path, why };
    if (waiting.some((edit) => edit.path === path))
      return { path, why: `an earlier edit of ${basename(path)} waits` };
  }
  return null;
}

/** Defers a call that passed the judge: the edit is on disk with its result, which says that it waits, and the clients are told. */
export async function deferEdit(
  parts: DeferEditParts,
  turn: Turn,
  judged: CallWithVerdict,
  { path, why, attempted }: LockedFile,
): Promise<Turn> {
  const { call, prepared } = judged;
  const name = basename(path);
  const labels = [labelOfAgent(turn), prepared.resultLabel, ...prepared.effects.map(({ label }) => label)];
  const edit = await newDeferredEdit(parts, turn, {
    path,
    call,
    label: joinAll(labels),
    ...(attempted === undefined ? {} : { attempted }),
  });
  await parts.journal({
    kind: "note",
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    detail: { event: "edit-put-off", path },
  });
  const instead = isDeferredEditTurn(turn) ? deferredEditId(turn) : null;
  if (instead !== null) await parts.locks.holdOff(path);
  const content = {
    path,
    waiting: true,
    text: `${attempted === undefined ? "Not written yet" : "Nobody knows yet whether it was made"}: ${why}. ${deferralNotice(name)}`,
    advice: "Do not propose it again.",
  };
  const next = await recordResult(parts, turn, judged, {
    outcome: { status: "success", content },
    deferredEdit: { edit, instead },
  });
  const where = { session: turn.session, turn: turn.id };
  parts.emit({ type: "thinking", ...where, depth: turn.depth, text: `${why}. ${deferralNotice(name)}` });
  parts.locks.watch((await parts.state.deferredEdits.all()).map((waiting) => waiting.path));
  return next;
}
