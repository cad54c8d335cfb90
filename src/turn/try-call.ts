import type { Turn } from "../signal/turn.ts";
import type { CallWithVerdict } from "./judge-call.ts";
import { type RecordResultParts, recordResult } from "./record-result.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** What trying a call needs. */
export type TryCallParts = RecordResultParts & { readonly journal: AppendToJournal };

/** The turn after a trial. It is `decided` where the call has its result: nothing is left to keep. Else the call is judged again, by what it changed in its trial. */
export type TriedCall = { readonly turn: Turn; readonly isDecided: boolean };

/** Tries a call where nothing that it does lasts. A trial that changed nothing, or failed, is its result. */
export async function tryCall(
  parts: TryCallParts,
  turn: Turn,
  tried: CallWithVerdict,
  cancel: AbortSignal,
): Promise<TriedCall> {
  const { prepared } = tried;
  if (prepared.trial === undefined) {
    const message =
      "It could only be tried, and there is no trial here, so it was not run. Propose it again.";
    const outcome = { status: "error", code: "no-trial", message } as const;
    return { turn: await recordResult(parts, turn, tried, { outcome }), isDecided: true };
  }
  const { outcome, changed } = await prepared.trial(cancel);
  await parts.journal({
    kind: "note",
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    effects: prepared.effects,
    detail: { event: "trial", status: outcome.status, changed },
  });
  if (cancel.aborted || changed) return { turn, isDecided: cancel.aborted };
  return { turn: await recordResult(parts, turn, tried, { outcome }), isDecided: true };
}
