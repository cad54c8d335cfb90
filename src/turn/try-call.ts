import { withArguments } from "../shown/action-text.ts";
import type { LackOfTrial } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { type DeniedCallParts, repeatsDenied } from "./denied-calls.ts";
import {
  type CallWithVerdict,
  type JudgeCallParts,
  judgeCall,
  type PublishVerdictParts,
  publishVerdict,
} from "./judge-call.ts";
import { type RecordResultParts, recordResult } from "./record-result.ts";
import { type ServesJobParts, servesJob } from "./serves-job.ts";
import { type ShowOutputParts, withView } from "./show-output.ts";

/** What trying a call needs. */
export type TryCallParts = RecordResultParts &
  ShowOutputParts &
  JudgeCallParts &
  PublishVerdictParts &
  DeniedCallParts &
  ServesJobParts;

/**
 * The turn after a trial. It is `decided` where the call has its result: nothing is left to keep. Else the call is judged again, by what it changed in its trial;
 * or `instead`, already judged, stands in its place, which asks for what the trial lacked.
 */
export type TriedCall = {
  readonly turn: Turn;
  readonly isDecided: boolean;
  readonly instead?: CallWithVerdict;
};

/** Tries a call where nothing that it does lasts. A trial that changed nothing, or failed, is its result; one that failed for want of something asks for that. */
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
  const { trial } = prepared;
  const begun = performance.now();
  const { outcome, changed, lacks } = await withView(parts, { turn, ...tried }, (view) =>
    trial(cancel, view),
  );
  const milliseconds = Math.round(performance.now() - begun);
  await parts.journal({
    kind: "note",
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    effects: prepared.effects,
    detail: { event: "trial", status: outcome.status, changed },
  });
  if (cancel.aborted) return { turn, isDecided: true };
  const instead = lacks === undefined ? null : await askForLack(parts, turn, tried, lacks);
  if (instead !== null) {
    const pending = turn.pending.map((call) => (call.id === instead.call.id ? instead.call : call));
    return { turn: { ...turn, pending }, isDecided: false, instead };
  }
  if (changed) return { turn, isDecided: false };
  const result = { outcome, milliseconds };
  return { turn: await recordResult(parts, turn, tried, result), isDecided: true };
}

/** The same call with what its trial lacked, judged; what the trial changed is dropped. Null where nobody may be asked for it: then the trial counts as it is. */
async function askForLack(
  parts: TryCallParts,
  turn: Turn,
  { call, prepared }: CallWithVerdict,
  { args, drop }: LackOfTrial,
): Promise<CallWithVerdict | null> {
  // A value that was named by reference would lose where it came from.
  const isReferring = (prepared.facts.action.references ?? []).length > 0;
  // The run of a job is put off for it, also for a sub-task; other turns that nobody began go on with what
  // there is.
  const isAlone = turn.signal.person === "nobody" && !(await servesJob(parts, turn));
  if (isAlone || isReferring) return null;
  const action = withArguments(prepared.action, args);
  const judged = await judgeCall(parts, turn, { ...call, action });
  if (judged.verdict === null || judged.verdict.decision === "block" || judged.verdict.decision === "trial")
    return null;
  if (judged.verdict.decision === "ask" && (await repeatsDenied(parts, turn, judged)) !== null) return null;
  await drop();
  await publishVerdict(parts, turn, judged);
  return judged;
}
