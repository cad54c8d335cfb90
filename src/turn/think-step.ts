import type { State } from "../memory/state/state.ts";
import type { Think, ThinkResult } from "../reason/think.ts";
import { endingOf } from "../signal/failed-outcome.ts";
import { maskAction } from "../signal/mask-values.ts";
import type { Message } from "../signal/message.ts";
import type { ModelRoute } from "../signal/model-route.ts";
import type { Turn } from "../signal/turn.ts";
import { textsIn } from "../text/json.ts";
import { isDeferredEditTurn } from "./deferred-edit-turn.ts";
import { finishTurn, refuseProposal, type TurnEnd } from "./end-turn.ts";
import { endWithFailure, type ThinkFailureParts } from "./end-with-failure.ts";
import { type JoinWordsParts, joinWords } from "./join-words.ts";
import { type ProposeDeferredEditParts, proposeDeferredEdit } from "./propose-deferred-edit.ts";
import { type ReplyParts, replyToPerson } from "./reply-to-person.ts";
import { openView, type ShowOutputParts } from "./show-output.ts";

/** What the step that thinks needs. */
export type ThinkStepParts = ProposeDeferredEditParts &
  ReplyParts &
  JoinWordsParts &
  ThinkFailureParts &
  Pick<ShowOutputParts, "makeFilter"> & {
    readonly think: Think;
    /** What chooses the models of a turn; a turn under way keeps what was chosen. */
    readonly route: (turn: Turn) => Promise<ModelRoute | null>;
    /** Masks the configured keys in what is kept. */
    readonly maskKeys: (text: string) => string;
    readonly state: Pick<State, "ledger" | "turns">;
    /** Aborted when the process is closing. */
    readonly closing: AbortSignal;
  };

/**
 * A turn in whose call the process ended so often in a row is not asked again: it would end each process
 * that resumes it.
 */
const mostLost = 3;
const lostWords = `The agent's process ended ${mostLost} times while a model was asked for this turn, so it is not asked again. Say it again to try once more; passepartout doctor tells more.`;

/** Asks the model for the next answer of a turn. Gives the turn with calls to judge, with a refusal to think about, or ended. */
export async function thinkStep(parts: ThinkStepParts, before: Turn, cancel: AbortSignal): Promise<Turn> {
  if (isDeferredEditTurn(before)) return proposeDeferredEdit(parts, before);
  if (before.depth >= before.depthLimit) return finishTurn(parts, before, depthLimitEnd(before));
  const turn = await joinWords(parts, before);
  const route = await parts.route(turn);
  const resultsBefore = turn.resultsBefore ?? (await parts.state.turns.resultsBefore(turn.session));
  const thinking: Turn = { ...turn, state: "thinking", route, resultsBefore, updatedAt: parts.clock() };
  const begins = turn.state !== "thinking";
  if (begins) await parts.state.commit({ turn: thinking, durability: "deferred", snapshot: turn.id });
  const where = { session: turn.session, turn: turn.id };
  parts.emit({ type: "thinking", ...where, depth: turn.depth, text: "" });
  if (!begins) await parts.snapshot(turn);
  if (!begins && (await parts.state.ledger.lostInARow(turn)) >= mostLost)
    return finishTurn(parts, thinking, { state: "failed", code: "process-ended", text: lostWords });
  using view = openView(parts, (text) => parts.emit({ type: "thought", ...where, text }));
  const result = await parts.think(
    thinking,
    {
      onText: (text) => parts.emit({ type: "text", ...where, text, reset: false }),
      onThinking: view.add,
      onReset: (reason) => parts.emit({ type: "text", ...where, text: reason, reset: true }),
      onNotice: (text) => parts.emit({ type: "thinking", ...where, depth: turn.depth, text }),
    },
    cancel,
  );
  if (cancel.aborted && (result.kind === "failure" || !parts.closing.aborted)) return thinking;
  if (result.kind === "failure") return endWithFailure(parts, thinking, result);
  const { told, declared } = result;
  const sent = { ...(told !== undefined && { told }), ...(declared !== undefined && { declared }) };
  return followAnswer(parts, { ...thinking, ...sent }, result);
}

type Answer = Extract<ThinkResult, { readonly kind: "thought" }>;

async function followAnswer(parts: ThinkStepParts, turn: Turn, answer: Answer): Promise<Turn> {
  const { thought, label } = answer;
  switch (thought.kind) {
    case "invalid": {
      const { reason } = thought;
      parts.emit({ type: "text", session: turn.session, turn: turn.id, text: reason, reset: true });
      const rejected = parts.maskKeys(`PREVIOUS PROPOSAL REJECTED: ${reason}`);
      const rejection: Message = { role: "rejection", text: rejected, label };
      const messages = [...turn.messages, assistantMessage(parts, answer, []), rejection];
      return refuseProposal(parts, turn, { code: "invalid-answer", reason, messages });
    }
    case "reply":
      return replyToPerson(parts, turn, { text: thought.text, message: assistantMessage(parts, answer, []) });
    case "calls": {
      const calls = thought.calls.map(({ id, action }) => ({
        id,
        action: maskAction(action, parts.maskKeys),
      }));
      const next: Turn = {
        ...turn,
        state: "judging",
        messages: [...turn.messages, assistantMessage(parts, answer, calls)],
        pending: calls,
        updatedAt: parts.clock(),
      };
      await parts.state.commit({ turn: next, durability: "deferred" });
      return next;
    }
  }
}

/** The answer as it is kept: without configured keys. No prompt has one, so a call that names one is an attack or a leak: it is judged, kept and run with the mask in its place. */
function assistantMessage(
  { maskKeys }: Pick<ThinkStepParts, "maskKeys">,
  answer: Answer,
  calls: Turn["pending"],
): Extract<Message, { role: "assistant" }> {
  const { thought, raw } = answer;
  return {
    role: "assistant",
    text: maskKeys(thought.kind === "calls" && thought.native ? thought.note : answer.text),
    calls,
    native: thought.kind === "calls" && thought.native,
    provider: answer.provider,
    ...(answer.model === undefined ? {} : { model: answer.model }),
    raw: textsIn(raw).every(({ text }) => maskKeys(text) === text) ? raw : null,
    label: answer.label,
  };
}

function depthLimitEnd(turn: Turn): TurnEnd {
  const done = turn.messages.flatMap((message) =>
    message.role === "result" ? [`- ${message.result.tool}: ${endingOf(message.result.outcome)}`] : [],
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
