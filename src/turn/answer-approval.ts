import type { State } from "../memory/state/state.ts";
import type { Approval } from "../signal/approval.ts";
import type { Turn } from "../signal/turn.ts";
import { finishTurn } from "./end-turn.ts";
import { type ExpireApprovalParts, expireApproval } from "./expire-approvals.ts";
import type { AppendToJournal } from "./step-ports.ts";
import type { SubmitResult } from "./submit-result.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** The owner's answer to the question that has this token. */
export type ApprovalAnswer = { readonly kind: "approve" | "deny"; readonly token: string };

/** What answering a question needs. */
export type AnswerApprovalParts = ExpireApprovalParts & {
  readonly state: Pick<State, "approvals">;
  readonly journal: AppendToJournal;
  readonly queue: TurnQueue;
};

/** Takes the owner's answers one after the other: the first answer to a question counts, later ones are told that it was used. */
export class ApprovalAnswers {
  readonly #parts: AnswerApprovalParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: AnswerApprovalParts) {
    this.#parts = parts;
  }

  answer(answer: ApprovalAnswer): Promise<SubmitResult> {
    const result = this.#last.then(() => answerApproval(this.#parts, answer));
    this.#last = Promise.allSettled([result]);
    return result;
  }
}

async function answerApproval(
  parts: AnswerApprovalParts,
  { kind, token }: ApprovalAnswer,
): Promise<SubmitResult> {
  const approval = await parts.state.approvals.byToken(token);
  if (approval === null) return refusal("is not known");
  const turn = await parts.state.turns.get(approval.turn);
  if (approval.state === "expired") {
    if (turn !== null) await expireApproval(parts, turn);
    return refusal("has expired, which means no");
  }
  if (approval.state !== "open") return refusal(`was used or has ended (${approval.state})`);
  if (turn === null || turn.state !== "suspended") return refusal("belongs to a turn that has ended");
  await parts.journal({
    kind: "approval",
    turn: turn.id,
    session: turn.session,
    digest: approval.digest,
    detail: { answer: kind === "deny" ? "no" : "yes" },
  });
  return kind === "deny" ? deny(parts, turn, approval) : approve(parts, turn, approval);
}

function refusal(why: string): SubmitResult {
  return {
    kind: "refused",
    code: "bad-token",
    text: `This token ${why}. /status lists the open questions.`,
  };
}

async function deny(parts: AnswerApprovalParts, turn: Turn, { tokenHash }: Approval): Promise<SubmitResult> {
  await finishTurn(parts, turn, {
    state: "blocked",
    code: "denied",
    text: `You said no. ${doneBefore(turn)}`,
    closeApproval: { tokenHash, state: "denied" },
  });
  return { kind: "said", code: "denied", text: `Denied. ${doneBefore(turn)}` };
}

/** What a turn had done before its owner said no. */
function doneBefore({ messages }: Turn): string {
  const done = messages.flatMap((message) =>
    message.role === "result" && message.result.outcome.status === "success" ? [message.result.tool] : [],
  );
  if (done.length === 0) return "Nothing was done.";
  return `That was not done. Done before it in this turn: ${done.join(", ")}. /undo takes back what was changed.`;
}

async function approve(
  parts: AnswerApprovalParts,
  turn: Turn,
  { digest, tokenHash, codes }: Approval,
): Promise<SubmitResult> {
  await parts.state.commit({
    turn: {
      ...turn,
      state: "judging",
      approved: { digest, by: tokenHash, codes },
      updatedAt: parts.clock(),
    },
    closeApproval: { tokenHash, state: "approved" },
  });
  parts.queue.add(turn);
  return { kind: "turn", turn: turn.id, session: turn.session, fresh: true };
}
