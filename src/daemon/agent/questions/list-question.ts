import { formatAction, withoutCommand } from "../../../shown/approval-question.ts";
import { arrangeEffects } from "../../../shown/arrange-effects.ts";
import { describeEffect, reversalWords } from "../../../shown/describe-effect.ts";
import type { Approval } from "../../../signal/approval.ts";
import { joinAll, type Label } from "../../../signal/label.ts";
import type { ListedQuestion, QuestionState, QuestionSubject } from "../../../signal/listed-question.ts";
import { maskAction } from "../../../signal/mask-values.ts";
import { reasonsIn } from "../../../signal/reasons-in.ts";
import type { Turn } from "../../../signal/turn.ts";
import { shorten } from "../../../text/cut-text.ts";
import { describeError } from "../../../text/describe-error.ts";
import { jobOfSessionName } from "../resources/cap-of-job.ts";
import type { LoopResources } from "../resources/loop-resources.ts";

/** What describing a question for its entry needs. */
export type ListQuestionParts = Pick<LoopResources, "state" | "policy" | "privateText" | "report">;

/** The state of an entry by that of its question. */
export const stateOfEntry: Readonly<Record<Approval["state"], QuestionState>> = {
  open: "OPEN",
  approved: "APPROVED",
  denied: "DENIED",
  expired: "LAPSED",
  void: "WITHDRAWN",
};

/**
 * A question for its entry, in its present state. What it is about is left out where the conversation saw
 * private text.
 */
export async function listQuestion(
  parts: ListQuestionParts,
  approval: Approval,
  { id, state }: { readonly id: string; readonly state: Approval["state"] },
): Promise<ListedQuestion> {
  const { session: sessionId, action, trace, createdAt, expiresAt } = approval;
  const session = await parts.state.sessions.get(sessionId);
  const job = jobOfSessionName(session?.name ?? "");
  const { tool } = action.payload;
  const about = await subjectOf(parts, approval, session?.workspace ?? null);
  // The name of a job may be as private as what it is about.
  const asker = about === null ? "A job" : `The job ${job}`;
  const asking = trace.filter(({ result }) => result === "approval");
  return {
    id,
    state: stateOfEntry[state],
    by: job === null ? "The agent" : asker,
    tool: typeof tool === "string" ? tool : action.target,
    session: sessionId,
    askedAt: createdAt,
    lapsesAt: expiresAt,
    gates: [...new Set(asking.map(({ gate }) => gate))],
    about,
  };
}

async function subjectOf(
  parts: ListQuestionParts,
  approval: Approval,
  workspace: string | null,
): Promise<QuestionSubject | null> {
  const turn = await parts.state.turns.get(approval.turn);
  const label = joinAll([...labelsOf(turn), ...approval.effects.map((effect) => effect.label)]);
  // A turn that is not kept any more may have seen anything.
  if (turn === null || label.secrecy !== "public") return null;
  const subject = describeSubject(parts, approval, { workspace, label });
  const { title, effects, lines } = subject;
  return (await holdsPrivate(parts, [title, ...effects, ...lines].join("\n"))) ? null : subject;
}

/** The labels of all that a turn saw: whatever it proposes may repeat it. */
function labelsOf(turn: Turn | null): readonly Label[] {
  if (turn === null) return [];
  return [
    turn.signal.label,
    ...turn.messages.map((message) => (message.role === "result" ? message.result.label : message.label)),
  ];
}

function describeSubject(
  { policy: { filter } }: ListQuestionParts,
  { action: given, effects, trace }: Approval,
  { workspace, label }: { readonly workspace: string | null; readonly label: Label },
): QuestionSubject {
  const action = maskAction(given, filter);
  const shown = arrangeEffects(effects);
  const [first] = shown;
  const more = shown.length - 1;
  return {
    title: filter(
      shorten(first === undefined ? "do something" : describeEffect(first), longestTitle) +
        (more > 0 ? `, and ${more} more` : ""),
    ),
    effects: shown.map((effect) => filter(`${describeEffect(effect)} (${reversalWords[effect.reversal]})`)),
    lines: [
      ...formatAction({ action, effects, workspace }),
      `  Asked because ${withoutCommand(reasonsIn(trace, "approval"))}`,
      ...(action.explanation === "" ? [] : [`  The agent says: ${action.explanation}`]),
    ].map(filter),
    integrity: label.integrity === "untrusted" ? "untrusted" : "agent",
  };
}

const longestTitle = 100;

/** Whether a text repeats private text. What cannot be looked up counts as private. */
async function holdsPrivate({ privateText, report }: ListQuestionParts, text: string): Promise<boolean> {
  try {
    await privateText.ready();
    return privateText.holdsPrivate(text);
  } catch (error) {
    report(
      `A question is listed without what it is about, since that may be private: ${describeError(error)}`,
    );
    return true;
  }
}
