import { commandOf } from "../shown/action-text.ts";
import { needsOwner } from "../signal/jobs/call-caps.ts";
import { isJobSignal } from "../signal/signal.ts";
import type { Turn } from "../signal/turn.ts";
import { type ApproveTypedParts, approveTyped, isTyped } from "./approve-typed.ts";
import { repeatsDenied } from "./denied-calls.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import { journalEndedPlans } from "./journal-ended-plans.ts";
import {
  type CallWithVerdict,
  type JudgedCall,
  judgeCall,
  type PreparedCall,
  type PublishVerdictParts,
  publishVerdict,
} from "./judge-call.ts";
import type { ProposeDeferredEditParts } from "./propose-deferred-edit.ts";
import { recordResult } from "./record-result.ts";
import { refuseCalls, refusedByJudge } from "./refuse-calls.ts";
import { type RunCallParts, runCall } from "./run-call.ts";
import { type SeekConsensusParts, seekConsensus } from "./seek-consensus.ts";
import { servesJob } from "./serves-job.ts";
import { type SuspendTurnParts, suspendTurn } from "./suspend-turn.ts";
import { refusedByCap, type TakeCalls } from "./take-calls.ts";
import { type TryCallParts, tryCall } from "./try-call.ts";

/** What judging and running the calls of an answer needs. */
export type RunCallsParts = RunCallParts &
  ApproveTypedParts &
  PublishVerdictParts &
  TryCallParts &
  SuspendTurnParts &
  SeekConsensusParts &
  EndTurnParts &
  ProposeDeferredEditParts & {
    /** Journals what changed in what is allowed since the last answer. */
    readonly recordPolicy: () => Promise<void>;
    /** Whether a target sends a message to a person, which ends the turn. */
    readonly isMessageActuator: (target: string) => boolean;
    readonly takeCalls: TakeCalls;
    /**
     * The step that would allow a job to make this call, as the owner writes it into the job's entry; null
     * where none would.
     */
    readonly stepAllowing: (session: string, call: CallWithVerdict) => Promise<string | null>;
  };

/**
 * Judges every call of an answer before the first runs, then runs them in order. If any is blocked none runs;
 * the first that asks suspends the turn with the results so far.
 */
export async function runCalls(parts: RunCallsParts, turn: Turn, cancel: AbortSignal): Promise<Turn> {
  await parts.recordPolicy();
  await journalEndedPlans(parts);
  const judged: JudgedCall[] = [];
  for (const call of turn.pending) {
    const one = await judgeCall(parts, turn, call);
    if (cancel.aborted) return turn;
    await publishVerdict(parts, turn, one);
    judged.push(one);
  }
  if (judged.some(({ verdict }) => verdict?.decision === "block"))
    return refuseCalls(parts, turn, refusedByJudge(judged));
  let current = await seekConsensus(parts, turn, judged, cancel);
  for (const [index, before] of judged.entries()) {
    if (cancel.aborted) return current;
    let call = index === 0 && current === turn ? before : await judgeAgain(parts, current, before);
    const beyond = call.verdict === null ? null : await refusedByCap(parts, current, call);
    if (beyond !== null) return refuseCalls(parts, current, [beyond]);
    if (index > 0) ({ turn: current, call } = await askIfCritical(parts, current, call, cancel));
    if (call.verdict !== null && call.verdict.decision === "trial") {
      const tried = await tryCall(parts, current, call, cancel);
      current = tried.turn;
      if (tried.isDecided) continue;
      call = tried.instead ?? (await judgeAgain(parts, current, call));
      ({ turn: current, call } = await askIfCritical(parts, current, call, cancel));
    }
    if (cancel.aborted) return current;
    if (call.verdict === null) {
      const { code, message } = call.prepared;
      current = await recordResult(parts, current, call, { outcome: { status: "error", code, message } });
      continue;
    }
    switch (call.verdict.decision) {
      case "block":
        return refuseCalls(parts, current, refusedByJudge([call, ...judged.slice(index + 1)]));
      // A trial that is to be tried again is lost: then the owner decides.
      case "trial":
      case "ask":
        return askOwner(parts, current, call);
      case "pass":
        current = await runCall(parts, current, call, cancel);
        // The next process goes on with it.
        if (current.running !== null) return current;
        // It is prepared and judged again with what its round gave, and so are those behind it.
        if (current.pending.includes(call.call)) return current;
    }
    const sent = messageSent(parts, current, call);
    if (sent !== null) return finishTurn(parts, current, { state: "answered", code: "", text: sent });
  }
  return thinkAgain(parts, current);
}

/** A call that turned out critical by what ran before it, or by its trial, is put to the other models too, and judged anew. */
async function askIfCritical(
  parts: RunCallsParts,
  turn: Turn,
  call: JudgedCall,
  cancel: AbortSignal,
): Promise<{ readonly turn: Turn; readonly call: JudgedCall }> {
  const asked = await seekConsensus(parts, turn, [call], cancel);
  return asked === turn ? { turn, call } : { turn: asked, call: await judgeAgain(parts, asked, call) };
}

/** Nobody is asked in a turn that no person began, nor is the owner asked again for what they denied in this turn. */
async function askOwner(parts: RunCallsParts, turn: Turn, call: CallWithVerdict): Promise<Turn> {
  if (turn.signal.person === "nobody") {
    const step = isJobSignal(turn.signal) ? await parts.stepAllowing(turn.session, call) : null;
    const by = isJobSignal(turn.signal) ? "job" : "sub-task";
    const asksForJob = step === null && (await servesJob(parts, turn));
    const need = asksForJob ? networkNeed(call.prepared, by) : null;
    const refused = { code: needsOwner, ...(step === null ? {} : { step }) } as const;
    return refuseCalls(
      parts,
      turn,
      refusedByJudge([call]).map((one) => ({
        ...one,
        ...refused,
        reason: need === null ? one.reason : `${need}; ${one.reason}`,
      })),
    );
  }
  if (isTyped(parts, turn, call)) return approveTyped(parts, turn, call);
  const denied = await repeatsDenied(parts, turn, call);
  if (denied === null) return suspendTurn(parts, turn, call);
  const where = { session: turn.session, turn: turn.id, call: call.call.id, tool: denied.tool };
  parts.emit({ type: "outcome", ...where, status: "error", code: denied.code, content: denied.reason });
  return refuseCalls(parts, turn, [denied]);
}

/** The calls that ran before may have changed the world, so the next one is judged anew. A verdict that changed is told. */
async function judgeAgain(parts: RunCallsParts, turn: Turn, before: JudgedCall): Promise<JudgedCall> {
  const now = await judgeCall(parts, turn, before.call);
  if (now.verdict?.decision !== before.verdict?.decision) await publishVerdict(parts, turn, now);
  return now;
}

/** The text of a message to a person that was the last call of its answer and was delivered; null for any other call. */
function messageSent(parts: RunCallsParts, turn: Turn, { call }: CallWithVerdict): string | null {
  const { target, payload } = call.action;
  if (turn.pending.length > 0 || !parts.isMessageActuator(target) || !lastSucceeded(turn)) return null;
  return typeof payload["text"] === "string" ? payload["text"] : "";
}

function lastSucceeded(turn: Turn): boolean {
  const last = turn.messages.at(-1);
  return last?.role === "result" && last.result.outcome.status === "success";
}

/** All calls have a result: the turn goes back to the model, one step deeper. */
async function thinkAgain(parts: RunCallsParts, turn: Turn): Promise<Turn> {
  const next: Turn = {
    ...turn,
    state: "thinking",
    depth: turn.depth + 1,
    rejections: 0,
    updatedAt: parts.clock(),
  };
  await parts.state.commit({ turn: next, durability: "deferred" });
  return next;
}

/**
 * That a command needs the network, and how a job is allowed it, where no line of the job's entry allows
 * this command; null for what needs none. Lines allow nothing to a sub-task.
 */
function networkNeed(
  { action, effects }: Pick<PreparedCall, "action" | "effects">,
  by: "job" | "sub-task",
): string | null {
  if (commandOf(action) === null) return null;
  const hosts = [...new Set(effects.flatMap(({ kind, target }) => (kind === "reach-host" ? [target] : [])))];
  const [host] = hosts;
  if (host === undefined) return null;
  if (by === "sub-task")
    return `it needs the network (${hosts.join(", ")}), which no line allows to a sub-task. Let the job do it itself`;
  return `it needs the network (${hosts.join(", ")}), and no line allows that for this command. One that names its address can be allowed, as by '- ALLOW: run curl https://${host}/…'`;
}
