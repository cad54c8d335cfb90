import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { excerptOf } from "../../shown/session-description.ts";
import type { Approval } from "../../signal/approval.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { Turn } from "../../signal/turn.ts";
import { askAgain, describeQuestion } from "../commands/ask-again.ts";
import type { AgentQuestions } from "./local-agent.ts";

type QuestionParts = {
  readonly state: Pick<State, "turns" | "approvals" | "shadowRules" | "sessions">;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
  readonly policy: Pick<Policy, "rules">;
};

/** What other clients of a session are told of words. */
const longestWords = { lines: 400, characters: 20_000 };

/** Answers what clients ask about questions and turns. */
export function makeAgentQuestions(parts: QuestionParts): AgentQuestions {
  const { approvals, turns } = parts.state;
  return {
    openQuestions: () => approvals.open(),
    async unsentQuestions() {
      const questions: ApprovalQuestion[] = [];
      for (const approval of await approvals.open()) questions.push(await askAgain(parts, approval));
      return questions;
    },
    async findQuestion(token) {
      const approval = await approvals.byToken(token);
      return approval === null ? null : { turn: approval.turn, session: approval.session };
    },
    async turnStatus(id) {
      const turn = await turns.get(id);
      return turn === null ? null : statusOf(turn, (open) => askAgain(parts, open), approvals);
    },
    async statusWithoutToken(id) {
      const turn = await turns.get(id);
      const describe = async (open: Approval): Promise<ApprovalQuestion> => ({
        ...(await describeQuestion(parts, open)),
        token: "",
      });
      return turn === null ? null : statusOf(turn, describe, approvals);
    },
    async wordsOf(id) {
      const turn = await turns.get(id);
      return turn === null ? null : excerptOf(parts.filter(turn.signal.text), longestWords).text;
    },
  };
}

async function statusOf(
  turn: Turn,
  ask: (open: Approval) => Promise<ApprovalQuestion>,
  approvals: Pick<State["approvals"], "byTurn">,
): Promise<LoopEvent | null> {
  const where = { session: turn.session, turn: turn.id };
  switch (turn.state) {
    case "answered":
      return {
        type: turn.state,
        ...where,
        text: turn.text,
        ...(turn.code === "" ? {} : { code: turn.code }),
      };
    case "blocked":
    case "failed":
    case "stopped":
      return { type: turn.state, ...where, code: turn.code, reason: turn.text };
    case "suspended": {
      const asked = await approvals.byTurn(turn.id, turn.session);
      const open = asked.findLast(({ state }) => state === "open");
      return open === undefined ? null : ask(open);
    }
    case "queued":
    case "thinking":
    case "judging":
    case "acting":
      return null;
  }
}
