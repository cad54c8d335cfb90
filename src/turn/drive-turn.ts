import type { Action } from "../signal/action.ts";
import { isFinal, type Turn } from "../signal/turn.ts";
import { deferralNotices, isDeferredEditTurn } from "./defer-edit.ts";
import { finishTurn, refuseProposal, type TurnEnd } from "./end-turn.ts";
import { proposeDeferredEdit } from "./resume-deferred-edits.ts";
import { runCalls } from "./run-calls.ts";
import type { DriveParts, ThinkResult } from "./turn-ports.ts";

/** Takes a turn through its states, each on disk before the next begins, until it is final, suspended or the process closes. */
export async function driveTurn(parts: DriveParts, turn: Turn, cancel: AbortSignal): Promise<void> {
  let current = turn;
  for (;;) {
    if (isFinal(current.state)) return;
    if (cancel.aborted && parts.stopping.aborted) return;
    if (cancel.aborted) {
      await finishTurn(parts, current, { state: "stopped", code: "stopped", text: "Stopped." });
      return;
    }
    switch (current.state) {
      case "queued":
      case "thinking":
        current = await think(parts, current, cancel);
        break;
      case "judging":
      case "acting":
        current = await runCalls(parts, current, cancel);
        break;
      case "suspended":
        return;
      default:
        return;
    }
  }
}

async function think(parts: DriveParts, turn: Turn, cancel: AbortSignal): Promise<Turn> {
  if (isDeferredEditTurn(turn)) return proposeDeferredEdit(parts, turn);
  if (turn.depth >= turn.depthLimit) return finishTurn(parts, turn, depthEnding(turn));
  const thinking: Turn = { ...turn, state: "thinking", updatedAt: parts.clock() };
  const begins = turn.state !== "thinking";
  if (begins) await parts.state.commit({ turn: thinking, snapshot: turn.id });
  const where = { session: turn.session, turn: turn.id };
  parts.emit({ type: "thinking", ...where, depth: turn.depth, text: "" });
  if (!begins) await parts.snapshot(turn);
  const result = await parts.think(
    thinking,
    {
      onText: (text) => parts.emit({ type: "text", ...where, text, reset: false }),
      onReset: (reason) => parts.emit({ type: "text", ...where, text: reason, reset: true }),
      onNotice: (text) => parts.emit({ type: "thinking", ...where, depth: turn.depth, text }),
    },
    cancel,
  );
  if (cancel.aborted && (result.kind === "failure" || !parts.stopping.aborted)) return thinking;
  if (result.kind === "failure") return recovered(parts, thinking, result);
  const { thought } = result;
  if (thought.kind === "invalid") {
    parts.emit({ type: "text", ...where, text: thought.reason, reset: true });
    const text = `PREVIOUS PROPOSAL REJECTED: ${thought.reason}`;
    const messages = [
      ...thinking.messages,
      said(result, []),
      { role: "rejection" as const, text, label: result.label },
    ];
    return refuseProposal(parts, thinking, { code: "invalid-answer", reason: thought.reason, messages });
  }
  if (thought.kind === "reply") return reply(parts, thinking, result, thought.text);
  const next: Turn = {
    ...thinking,
    state: "judging",
    messages: [...thinking.messages, said(result, thought.calls)],
    pending: thought.calls,
    updatedAt: parts.clock(),
  };
  await parts.state.commit({ turn: next });
  return next;
}

type Thoughtful = Extract<ThinkResult, { readonly kind: "thought" }>;

function said(result: Thoughtful, calls: Turn["pending"]): Turn["messages"][number] {
  const { thought } = result;
  return {
    role: "assistant",
    text: thought.kind === "calls" && thought.native ? thought.note : result.text,
    calls,
    native: thought.kind === "calls" && thought.native,
    provider: result.provider,
    raw: result.raw,
    label: result.label,
  };
}

async function reply(parts: DriveParts, turn: Turn, result: Thoughtful, text: string): Promise<Turn> {
  const messages = [...turn.messages, said(result, [])];
  const answer = [text, ...deferralNotices(turn, text)].join("\n\n");
  const verdict = await parts.judgeTelling(turn, text, result.label);
  switch (verdict.decision) {
    case "pass": {
      const failure = result.provider === "reflex" ? lastFailure(turn) : null;
      if (failure !== null)
        return finishTurn(parts, turn, { state: "failed", code: failure, text: answer, messages });
      return finishTurn(parts, turn, { state: "answered", code: "", text: answer, messages });
    }
    case "block":
      parts.emit({ type: "text", session: turn.session, turn: turn.id, text: verdict.reason, reset: true });
      return finishTurn(parts, turn, {
        state: "blocked",
        code: "reply-blocked",
        text: `The answer was withheld: ${verdict.reason}`,
        messages,
      });
    case "ask": {
      const action: Action = {
        target: turn.signal.source,
        payload: { action: "message", text },
        explanation: "An answer to a person who is not the owner",
      };
      const next: Turn = {
        ...turn,
        state: "judging",
        messages,
        pending: [{ id: parts.newId(), action }],
        updatedAt: parts.clock(),
      };
      await parts.state.commit({ turn: next });
      return next;
    }
  }
}

async function recovered(
  parts: DriveParts,
  turn: Turn,
  failure: Extract<ThinkResult, { readonly kind: "failure" }>,
): Promise<Turn> {
  const text = failure.error.message;
  const recovery = parts.recover(failure.error, turn.signal);
  if (recovery === null) {
    const state = failure.code === "blocked" ? "blocked" : "failed";
    return finishTurn(parts, turn, { state, code: failure.code, text });
  }
  switch (recovery.choice) {
    case "use-fallback": {
      const verdict = await parts.judgeTelling(turn, recovery.text, turn.signal.label);
      if (verdict.decision === "pass") {
        return finishTurn(parts, turn, { state: "answered", code: "fallback", text: recovery.text });
      }
      return finishTurn(parts, turn, { state: "failed", code: failure.code, text });
    }
    case "skip-signal":
      return finishTurn(parts, turn, { state: "stopped", code: "skipped", text: `Skipped: ${text}` });
    case "abort-pipeline":
      return finishTurn(parts, turn, { state: "stopped", code: "aborted", text: `Ended: ${text}` });
  }
}

function depthEnding(turn: Turn): TurnEnd {
  const done = turn.messages.flatMap((message) =>
    message.role === "result" ? [`- ${message.result.tool}: ${message.result.outcome.status}`] : [],
  );
  return {
    state: "stopped",
    code: "depth-limit",
    text: [
      `Stopped after ${turn.depth} steps, the limit. What was done:`,
      ...(done.length === 0 ? ["- nothing"] : done),
      "Say `continue` to go on.",
    ].join("\n"),
  };
}

/** The code of the turn's last result where it failed: without a model, nobody makes anything else of it. */
function lastFailure(turn: Turn): string | null {
  const last = turn.messages.at(-1);
  return last?.role === "result" && last.result.outcome.status === "error" ? last.result.outcome.code : null;
}
