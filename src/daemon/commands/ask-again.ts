import type { State } from "../../memory/state/state.ts";
import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { type Approval, endorsableOf, questionIdOf } from "../../signal/approval.ts";
import { maskAction } from "../../signal/mask-values.ts";
import { reasonsIn } from "../../signal/reasons-in.ts";
import { adviseQuestion, type RuleParts } from "./rule-commands.ts";

/** What asking an open question once more needs. */
export type AskAgainParts = {
  readonly state: Pick<State, "approvals" | "sessions" | "shadowRules">;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
  readonly policy: RuleParts["policy"];
};

/** An open question as it is asked once more, with a further token. */
export async function askAgain(parts: AskAgainParts, open: Approval): Promise<ApprovalQuestion> {
  const question = await describeQuestion(parts, open);
  return { ...question, token: await parts.state.approvals.reissueToken(open) };
}

/**
 * The same without a token, for a client that answers by another way: a further token would end that of
 * another client.
 */
export async function describeQuestion(
  parts: AskAgainParts,
  open: Approval,
): Promise<Omit<ApprovalQuestion, "token">> {
  const { state, filter } = parts;
  const { session, turn, effects, trace, expiresAt } = open;
  return {
    type: "approval-required",
    session,
    turn,
    question: questionIdOf(open),
    workspace: (await state.sessions.get(session))?.workspace ?? null,
    effects,
    trace,
    expiresAt,
    reason: [reasonsIn(trace, "approval"), ...(open.references ?? [])].join("; "),
    ...endorsableOf(open, filter),
    action: maskAction(open.action, filter),
    ...(await adviseQuestion(parts, open)),
  };
}
