import type { State } from "../memory/state/state.ts";
import { type Approval, endorsableOf, type PolicyInForce, questionIdOf } from "../signal/approval.ts";
import type { Effect } from "../signal/effect.ts";
import { joinAll, skillOfSource } from "../signal/label.ts";
import { maskAction } from "../signal/mask-values.ts";
import type { Offer } from "../signal/offer.ts";
import type { Turn } from "../signal/turn.ts";
import { endorsableValues } from "./endorsable-values.ts";
import { type CallWithVerdict, whyVoid } from "./judge-call.ts";
import { type PreviewParts, previewOf } from "./preview-of.ts";
import type { AppendToJournal, ClientPorts, StepPorts } from "./step-ports.ts";

/** What suspending a turn needs. */
export type SuspendTurnParts = StepPorts &
  ClientPorts &
  PreviewParts & {
    readonly state: Pick<State, "approvals" | "sessions" | "flightPlans">;
    readonly journal: AppendToJournal;
    /** Milliseconds that an approval stays open. */
    readonly approvalExpiry: number;
    readonly policyInForce: () => PolicyInForce;
    /** What a question says besides itself. */
    readonly adviseQuestion: (
      approval: Approval,
    ) => Promise<{ readonly rule?: string; readonly offers?: readonly Offer[]; readonly habit?: string }>;
  };

/** Suspends a turn on a call that asks: the question is on disk, with the hash of its token, before the clients get the token. */
export async function suspendTurn(
  parts: SuspendTurnParts,
  turn: Turn,
  judged: CallWithVerdict,
): Promise<Turn> {
  const { prepared, verdict } = judged;
  const references = [...(prepared.facts.action.references ?? []), ...skillsBeside(turn, prepared.effects)];
  const endorsable = endorsableValues(judged);
  const { token, tokenHash } = parts.state.approvals.newToken();
  const at = parts.clock();
  const policy = parts.policyInForce();
  const voided = whyVoid(turn, prepared, policy);
  const approval: Approval = {
    tokenHash,
    id: parts.newId(),
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    action: prepared.action,
    effects: prepared.effects,
    trace: verdict.trace,
    codes: verdict.asks.map((ask) => ask.code),
    asks: verdict.asks,
    policy,
    ...(verdict.instead === undefined ? {} : { instead: verdict.instead }),
    ...(references.length === 0 ? {} : { references }),
    ...(endorsable.length === 0 ? {} : { endorsable }),
    state: "open",
    createdAt: at,
    expiresAt: at + parts.approvalExpiry,
  };
  const next: Turn = { ...turn, state: "suspended", approved: null, updatedAt: at };
  await parts.state.commit({ turn: next, approval });
  await holdPlan(parts, turn, judged);
  const changes = await previewOf(parts, turn, prepared);
  parts.emit({
    type: "approval-required",
    session: turn.session,
    turn: turn.id,
    token,
    question: questionIdOf(approval),
    workspace: (await parts.state.sessions.get(turn.session))?.workspace ?? null,
    action: maskAction(prepared.action, parts.filter),
    effects: prepared.effects,
    trace: verdict.trace,
    reason: [...(voided === null ? [] : [voided]), verdict.reason, ...references].join("; "),
    ...endorsableOf(approval, parts.filter),
    ...(changes.length === 0 ? {} : { changes }),
    expiresAt: approval.expiresAt,
    ...(await parts.adviseQuestion(approval)),
  });
  return next;
}

/** A call that is not in the flight plan of its session puts the plan on hold until the owner says yes to it; a new plan is proposed beside the old one. */
async function holdPlan(
  { state, journal }: SuspendTurnParts,
  { id, session }: Turn,
  { prepared: { digest, effects } }: CallWithVerdict,
): Promise<void> {
  if (effects.some((effect) => effect.kind === "change-memory" && effect.plan !== undefined)) return;
  if (await state.flightPlans.hold(session, { turn: id, digest }))
    await journal({ kind: "note", session, turn: id, digest, detail: { event: "flight-plan-deviated" } });
}

/**
 * Says which skills have words in a turn: who is asked should know whose words the model read. Empty where
 * there are none.
 */
function skillsBeside({ messages }: Turn, effects: readonly Effect[]): readonly string[] {
  const labels = messages.map((message) =>
    message.role === "result" ? message.result.label : message.label,
  );
  const { sources } = joinAll([...labels, ...effects.map(({ label }) => label)]);
  const names = new Set(sources.flatMap(({ id }) => skillOfSource(id) ?? []));
  const [first, ...others] = names;
  if (first === undefined) return [];
  const skills = others.length === 0 ? `the skill ${first}` : `the skills ${[first, ...others].join(", ")}`;
  return [`words of ${skills} take part in this turn`];
}
