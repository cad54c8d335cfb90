import type { ChangeRecord } from "../memory/state/changes.ts";
import type { Approval } from "../signal/approval.ts";
import type { Outcome, ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import type { Verdict } from "../signal/verdict.ts";
import { deferEdit, findLockedFile, isDeferredEditTurn } from "./defer-edit.ts";
import { finishTurn, refuseProposal } from "./end-turn.ts";
import {
  type JudgedCall,
  journalFields,
  judgeCall,
  type PreparedCall,
  publishVerdict,
  toolNameOf,
} from "./judge-call.ts";
import { maskAction } from "./mask-values.ts";
import { labelOfAgent, recordResult, resultMessage } from "./record-result.ts";
import { proposeDeferredEdit } from "./resume-deferred-edits.ts";
import type { DriveParts } from "./turn-ports.ts";

/**
 * Judges every call of an answer before the first runs, then runs them in order. If any is blocked none runs;
 * the first that asks suspends the turn with the results so far.
 */
export async function runCalls(parts: DriveParts, turn: Turn, cancel: AbortSignal): Promise<Turn> {
  const judged: JudgedCall[] = [];
  for (const call of turn.pending) {
    const one = await judgeCall(parts, turn, call);
    await publishVerdict(parts, turn, one);
    judged.push(one);
  }
  const blocked = judged.filter((one) => one.verdict?.decision === "block");
  if (blocked.length > 0) return refuseAll(parts, turn, judged);
  let current = turn;
  let fresh = true;
  for (const one of judged) {
    if (cancel.aborted) return current;
    const now = fresh ? one : await judgeCall(parts, current, one.call);
    if (now.verdict?.decision !== one.verdict?.decision) await publishVerdict(parts, current, now);
    fresh = false;
    if (now.verdict === null) {
      const { code, message } = now.prepared;
      current = await recordResult(parts, current, now, { outcome: { status: "error", code, message } });
      continue;
    }
    if (now.verdict.decision === "block")
      return refuseAll(parts, current, [now, ...judged.slice(judged.indexOf(one) + 1)]);
    if (now.verdict.decision === "ask") {
      if (current.signal.person === "nobody") return refuseAll(parts, current, [now]);
      return suspend(parts, current, now);
    }
    current = await run(parts, current, now, cancel);
    const { target, payload } = now.call.action;
    if (current.pending.length === 0 && parts.isMessageActuator(target) && lastSucceeded(current)) {
      const text = typeof payload["text"] === "string" ? payload["text"] : "";
      return finishTurn(parts, current, { state: "answered", code: "", text });
    }
  }
  const next: Turn = {
    ...current,
    state: "thinking",
    depth: current.depth + 1,
    rejections: 0,
    updatedAt: parts.clock(),
  };
  await parts.state.commit({ turn: next });
  return next;
}

/** The last mile: prepared and judged once more, refused if digest or verdict differ; the intent first, then the act, then its outcome. */
async function run(
  parts: DriveParts,
  turn: Turn,
  judged: Extract<JudgedCall, { readonly verdict: Verdict }>,
  cancel: AbortSignal,
): Promise<Turn> {
  const last = await judgeCall(parts, turn, judged.call);
  if (
    last.verdict === null ||
    last.prepared.digest !== judged.prepared.digest ||
    last.verdict.decision !== "pass"
  ) {
    const message =
      "What it would do changed between judging and running, so it was not run. Propose it again.";
    return recordResult(parts, turn, judged, { outcome: { status: "error", code: "changed", message } });
  }
  const { prepared, verdict } = last;
  const held = await findLockedFile(parts, turn, prepared);
  if (held !== null) return deferEdit(parts, turn, last, held);
  const acting: Turn = { ...turn, state: "acting", running: prepared.digest, updatedAt: parts.clock() };
  await parts.journal({
    kind: "intent",
    ...journalFields(turn, prepared, verdict),
    detail: {
      tool: toolNameOf(judged),
      call: judged.call.id,
      approval: turn.approved?.by.slice(0, 8) ?? null,
    },
  });
  const known = await parts.state.changes.ofTurn(turn.id);
  const changes = changeRecords(turn, prepared, (known.at(-1)?.sequence ?? 0) + 1);
  await parts.state.commit({ turn: acting, changes });
  const outcome = await prepared.run(cancel);
  await parts.journal({
    kind: "outcome",
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    effects: prepared.effects,
    detail: { status: outcome.status, code: outcome.status === "error" ? outcome.code : "" },
  });
  const heldNow = outcome.status === "error" && outcome.code === "locked";
  const late = heldNow ? await findLockedFile(parts, turn, prepared) : null;
  return late === null
    ? recordResult(parts, acting, last, { outcome })
    : deferEdit(parts, acting, last, late);
}

/** No call of the answer runs; each gets a result that says so, and it counts as one refusal. */
async function refuseAll(parts: DriveParts, turn: Turn, judged: readonly JudgedCall[]): Promise<Turn> {
  const reasons = judged.flatMap((one) =>
    one.verdict !== null && one.verdict.decision !== "pass"
      ? [`${toolNameOf(one)}: ${one.verdict.reason}`]
      : [],
  );
  const reason = reasons.join(" ");
  const results = turn.pending.map((call) => {
    const own = judged.find((one) => one.call.id === call.id);
    const refused = own?.verdict !== undefined && own.verdict !== null && own.verdict.decision !== "pass";
    const outcome: Outcome = refused
      ? { status: "error", code: "blocked", message: `Not allowed: ${own.verdict?.reason ?? ""}` }
      : {
          status: "error",
          code: "not-run",
          message: `Not run, because another call of the same answer was refused: ${reason}`,
        };
    const result: ToolResult = {
      id: parts.newId(),
      tool: own === undefined ? call.action.target : toolNameOf(own),
      outcome,
      label: labelOfAgent(turn),
    };
    return resultMessage(turn, call, result);
  });
  const messages = [...turn.messages, ...results];
  if (isDeferredEditTurn(turn)) return proposeDeferredEdit(parts, { ...turn, messages });
  if (cannotCorrect(turn))
    return finishTurn(parts, turn, { state: "blocked", code: "blocked", text: reason, messages });
  return refuseProposal(parts, turn, { code: "blocked", reason, messages });
}

/** The reflex engine proposes the same again: its first refusal is the result. */
function cannotCorrect(turn: Turn): boolean {
  const asked = turn.messages.findLast((message) => message.role === "assistant");
  return asked?.role === "assistant" && asked.provider === "reflex";
}

async function suspend(
  parts: DriveParts,
  turn: Turn,
  judged: Extract<JudgedCall, { readonly verdict: Verdict }>,
): Promise<Turn> {
  const { prepared, verdict, call } = judged;
  const { token, tokenHash } = parts.state.approvals.newToken();
  const at = parts.clock();
  const approval: Approval = {
    tokenHash,
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    action: call.action,
    effects: prepared.effects,
    trace: verdict.trace,
    codes: verdict.asks.map((ask) => ask.code),
    state: "open",
    createdAt: at,
    expiresAt: at + parts.approvalExpiry,
  };
  const voided = turn.approved === null ? "" : "It changed since it was approved, so that approval is void. ";
  const next: Turn = { ...turn, state: "suspended", approved: null, updatedAt: at };
  await parts.state.commit({ turn: next, approval });
  parts.emit({
    type: "approval-required",
    session: turn.session,
    turn: turn.id,
    token,
    action: maskAction(call.action, parts.filter),
    effects: prepared.effects,
    trace: verdict.trace,
    reason: `${voided}${verdict.reason}`,
    expiresAt: approval.expiresAt,
  });
  return next;
}

function lastSucceeded(turn: Turn): boolean {
  const last = turn.messages.at(-1);
  return last?.role === "result" && last.result.outcome.status === "success";
}

/** A change as it is recorded before it is made. One that is made anew after a crash is recorded anew. */
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
