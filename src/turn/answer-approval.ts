import type { State } from "../memory/state/state.ts";
import type { Approval } from "../signal/approval.ts";
import type { Label } from "../signal/label.ts";
import type { Message } from "../signal/message.ts";
import type { Turn } from "../signal/turn.ts";
import { describeError } from "../text/describe-error.ts";
import { isDeferredEditTurn } from "./deferred-edit-turn.ts";
import { doneBefore, finishTurn, thinkingAgain } from "./end-turn.ts";
import { type ExpireApprovalParts, expireApproval } from "./expire-approvals.ts";
import { toolNamed } from "./judge-call.ts";
import { cannotCorrect, resultsOfRefusal } from "./refuse-calls.ts";
import type { AppendToJournal, TurnLimits } from "./step-ports.ts";
import type { SubmitResult } from "./submit-result.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** The owner's answer to the question that has this token. `endorses`: the values that it is about count as the owner's for the rest of the turn. `notice`: what their clients are told with a yes. `words`: why the owner says no, for the model. */
export type ApprovalAnswer =
  | {
      readonly kind: "approve";
      readonly token: string;
      readonly endorses: boolean;
      readonly notice: string | null;
    }
  | { readonly kind: "deny"; readonly token: string; readonly words: DenialWords | null };

type DenialWords = { readonly text: string; readonly label: Label };

/** Characters of a reason. */
const longestReason = 10_000;

/** What answering a question needs. */
export type AnswerApprovalParts = ExpireApprovalParts & {
  readonly state: Pick<State, "approvals" | "flightPlans">;
  readonly journal: AppendToJournal;
  readonly limits: TurnLimits;
  /** Has the rules in shadow learn from an answer. */
  readonly observeAnswer: (approval: Approval, yes: boolean) => Promise<void>;
  readonly report: (message: string) => void;
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

async function answerApproval(parts: AnswerApprovalParts, answer: ApprovalAnswer): Promise<SubmitResult> {
  const { kind, token } = answer;
  if (kind === "deny" && (answer.words?.text.length ?? 0) > longestReason) return reasonTooLong;
  const approval = await parts.state.approvals.byToken(token);
  if (approval === null) return refusal("is not known");
  const turn = await parts.state.turns.get(approval.turn);
  if (approval.state === "expired") {
    if (turn !== null) await expireApproval(parts, turn);
    return refusal("has expired, which means no");
  }
  if (approval.state !== "open") return answeredBefore(approval.state);
  if (turn === null || turn.state !== "suspended") return refusal("belongs to a turn that has ended");
  const { endorsable = [] } = approval;
  const endorses = answer.kind === "approve" && answer.endorses;
  if (endorses && endorsable.length === 0) return nothingToEndorse;
  await parts.journal({
    kind: "approval",
    turn: turn.id,
    session: turn.session,
    digest: approval.digest,
    detail: {
      answer: kind === "deny" ? "no" : "yes",
      ...(endorses ? { endorsed: endorsable.map(({ argument }) => argument) } : {}),
    },
  });
  const result = await (answer.kind === "deny"
    ? deny(parts, turn, { approval, words: answer.words })
    : approve(parts, turn, { approval, endorses, notice: answer.notice }));
  await parts
    .observeAnswer(approval, answer.kind === "approve")
    .catch((error: unknown) => parts.report(`No rule learned from this answer: ${describeError(error)}`));
  return result;
}

const reasonTooLong: SubmitResult = {
  kind: "refused",
  code: "reason-too-long",
  text: `The reason is longer than ${longestReason} characters. Nothing was answered: say it in fewer words.`,
};

const nothingToEndorse: SubmitResult = {
  kind: "refused",
  code: "no-value",
  text: "This question is not about where a value comes from, so there is none to endorse. Nothing was answered: /approve without `value` says yes once.",
};

/** Of two answers the first counts; who gave the other is told what the first was. */
function answeredBefore(state: Exclude<Approval["state"], "open" | "expired">): SubmitResult {
  const before = {
    approved: "was answered before, with yes",
    denied: "was answered before, with no",
    void: "ended with its turn",
  } as const;
  const text = `This question ${before[state]}, here or in another window. Your answer changed nothing.`;
  return { kind: "refused", code: "bad-token", text };
}

function refusal(why: string): SubmitResult {
  return {
    kind: "refused",
    code: "bad-token",
    text: `This token ${why}. /status lists the open questions.`,
  };
}

/**
 * A denial is the result of the call that asked. The model gets it with the owner's words, and the turn goes
 * on; where no model proposed the call, or at the last denial that is allowed, the turn ends.
 */
async function deny(
  parts: AnswerApprovalParts,
  turn: Turn,
  { approval, words }: { readonly approval: Approval; readonly words: DenialWords | null },
): Promise<SubmitResult> {
  const { tokenHash } = approval;
  const closing = { tokenHash, state: "denied" } as const;
  const said = parts.filter(`Denied. ${doneBefore(parts, turn)}`);
  const messages = [...turn.messages, ...denialMessages(parts, turn, { words, instead: approval.instead })];
  const end = { state: "blocked", code: "denied", messages, closeApproval: closing } as const;
  if (isDeferredEditTurn(turn) || cannotCorrect(turn)) {
    await finishTurn(parts, turn, { ...end, text: `You said no. ${doneBefore(parts, turn)}` });
    return { kind: "said", code: "denied", text: said };
  }
  const asked = await parts.state.approvals.byTurn(turn.id, turn.session);
  const denials = asked.filter(({ state }) => state === "denied").length + 1;
  if (denials >= parts.limits.denials) {
    const text = parts.filter(
      `You said no ${denials === 1 ? "once" : `${denials} times`} in this turn, so it ends. ${doneBefore(parts, turn)}`,
    );
    await finishTurn(parts, turn, { ...end, text });
    return { kind: "said", code: "denied", text };
  }
  const next = thinkingAgain(parts, turn, messages);
  await parts.state.commit({ turn: next, closeApproval: closing });
  const isPrivate = words !== null && words.label.secrecy !== "public";
  const told = words === null || isPrivate ? "The agent is told" : "The agent is told why";
  const withheld = isPrivate ? " Your reason is tagged as private: only a local model is told it." : "";
  const where = { session: turn.session, turn: turn.id, depth: next.depth };
  parts.emit({ type: "thinking", ...where, text: `${said} ${told}, and goes on.${withheld}` });
  parts.queue.add(turn);
  return { kind: "turn", turn: turn.id, session: turn.session, fresh: true };
}

const denied =
  "The owner said no, so this was not run. Do not propose the same again in this turn: it would be refused unasked. Answer, or do it another way.";

/** The results of a denied call and of those behind it, and the owner's words. */
function denialMessages(
  parts: AnswerApprovalParts,
  turn: Turn,
  { words, instead }: { readonly words: DenialWords | null; readonly instead: string | undefined },
): readonly Message[] {
  const refused = turn.pending.slice(0, 1).map((call) => ({
    call,
    tool: toolNamed(call),
    reason: denied,
    instead,
    code: "denied-by-owner" as const,
  }));
  const results = resultsOfRefusal(parts, turn, refused);
  return words === null
    ? results
    : [...results, { role: "user", text: `No, because ${words.text}`, label: words.label }];
}

async function approve(
  parts: AnswerApprovalParts,
  turn: Turn,
  {
    approval: { digest, tokenHash, codes, policy },
    endorses,
    notice,
  }: { readonly approval: Approval; readonly endorses: boolean; readonly notice: string | null },
): Promise<SubmitResult> {
  await parts.state.commit({
    turn: {
      ...turn,
      state: "judging",
      approved: { digest, by: tokenHash, codes, ...(policy === undefined ? {} : { policy }) },
      updatedAt: parts.clock(),
    },
    closeApproval: { tokenHash, state: "approved", ...(endorses ? { endorsed: true } : {}) },
  });
  await parts.state.flightPlans.resume(turn.session, { turn: turn.id, digest });
  if (notice !== null)
    parts.emit({ type: "thinking", session: turn.session, turn: turn.id, depth: turn.depth, text: notice });
  parts.queue.add(turn);
  return { kind: "turn", turn: turn.id, session: turn.session, fresh: true };
}
