import type { State } from "../../memory/state/state.ts";
import type { Approval } from "../../signal/approval.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { Turn } from "../../signal/turn.ts";
import { maskAction } from "../../turn/mask-values.ts";
import type { AgentQuestions } from "./local-agent.ts";

type QuestionParts = {
  readonly state: Pick<State, "turns" | "approvals">;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
};

/** Answers what clients ask about questions and turns. */
export function makeAgentQuestions(parts: QuestionParts): AgentQuestions {
  const { approvals, turns } = parts.state;
  return {
    openQuestions: () => approvals.open(),
    async findQuestion(token) {
      const approval = await approvals.byToken(token);
      return approval === null ? null : { turn: approval.turn, session: approval.session };
    },
    async turnStatus(id) {
      const turn = await turns.get(id);
      return turn === null ? null : statusOf(parts, turn);
    },
  };
}

async function statusOf(parts: QuestionParts, turn: Turn): Promise<LoopEvent | null> {
  const where = { session: turn.session, turn: turn.id };
  switch (turn.state) {
    case "answered":
      return { type: turn.state, ...where, text: turn.text };
    case "blocked":
    case "failed":
    case "stopped":
      return { type: turn.state, ...where, code: turn.code, reason: turn.text };
    case "suspended": {
      const approvals = await parts.state.approvals.byTurn(turn.id, turn.session);
      const open = approvals.findLast(({ state }) => state === "open");
      return open === undefined ? null : questionOf(parts, open);
    }
    case "queued":
    case "thinking":
    case "judging":
    case "acting":
      return null;
  }
}

/** An open question as it is asked once more, with a further token. */
async function questionOf({ state, filter }: QuestionParts, open: Approval): Promise<LoopEvent> {
  const { session, turn, effects, trace, expiresAt } = open;
  const asks = trace.filter(({ result }) => result === "approval").map(({ reason }) => reason);
  return {
    type: "approval-required",
    session,
    turn,
    effects,
    trace,
    expiresAt,
    reason: asks.join(" "),
    token: await state.approvals.reissueToken(open),
    action: maskAction(open.action, filter),
  };
}
