import type { State } from "../../memory/state/state.ts";
import type { Approval } from "../../signal/approval.ts";
import type { ApprovalQuestion } from "../../signal/approval-question.ts";
import { maskAction } from "../../signal/mask-values.ts";

/** What asking an open question once more needs. */
export type AskAgainParts = {
  readonly state: Pick<State, "approvals" | "sessions">;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
};

/** An open question as it is asked once more, with a further token. */
export async function askAgain({ state, filter }: AskAgainParts, open: Approval): Promise<ApprovalQuestion> {
  const { session, turn, effects, trace, expiresAt } = open;
  const asks = trace.filter(({ result }) => result === "approval").map(({ reason }) => reason);
  return {
    type: "approval-required",
    session,
    turn,
    workspace: (await state.sessions.get(session))?.workspace ?? null,
    effects,
    trace,
    expiresAt,
    reason: asks.join(" "),
    token: await state.approvals.reissueToken(open),
    action: maskAction(open.action, filter),
  };
}
