import { commandOf } from "../shown/action-text.ts";
import type { Action, Call } from "../signal/action.ts";
import type { PolicyInForce } from "../signal/approval.ts";
import type { Effect } from "../signal/effect.ts";
import type { Licence } from "../signal/facts.ts";
import { type PlanAllowance, type PlanUse, planSessionOf } from "../signal/flight-plan.ts";
import { maskAction } from "../signal/mask-values.ts";
import { isJobSignal } from "../signal/signal.ts";
import type { Caller, PreparedAction } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import type { Ask, Judge, Verdict } from "../signal/verdict.ts";
import { countRepeats } from "./count-repeats.ts";
import { disagreementOn } from "./disagreement-on.ts";
import { roundsOf } from "./rounds-of.ts";
import type { AppendToJournal, ClientPorts, TurnLimits } from "./step-ports.ts";
import { hasUnreadWords, type UnreadWordsParts } from "./unread-words.ts";

/** What judging a call needs. */
export type JudgeCallParts = UnreadWordsParts & {
  readonly limits: TurnLimits;
  readonly prepare: (action: Action, caller: Caller, licences: readonly Licence[]) => Promise<PreparedAction>;
  /** Who calls the tools of a turn; on request without anything that its owner said. */
  readonly callerOf: (turn: Turn, about?: { readonly withoutWords: boolean }) => Promise<Caller>;
  readonly judge: Judge;
  /** The gates, rules and settings of now. */
  readonly policyInForce: () => PolicyInForce;
  /** What the owner's rules allow of an action. */
  readonly licencesOfRules: (about: {
    readonly workspace: string | null;
    readonly command: string | null;
    readonly effects: readonly Effect[];
  }) => readonly Licence[];
  /** What the flight plan of a session allows of a call that asks; null where it does not allow all of it. */
  readonly allowanceOfPlan: (
    session: string,
    call: {
      readonly workspace: string | null;
      readonly command: string | null;
      readonly effects: readonly Effect[];
      readonly asks: readonly Ask[];
    },
  ) => Promise<PlanAllowance | null>;
};

/** What telling a verdict needs. */
export type PublishVerdictParts = ClientPorts & {
  readonly journal: AppendToJournal;
  readonly gateCount: number;
};

/** An action that can be judged, then run. */
export type PreparedCall = Extract<PreparedAction, { readonly ok: true }>;
/** A call that could be prepared, with its verdict. */
export type CallWithVerdict = {
  readonly call: Call;
  readonly prepared: PreparedCall;
  readonly verdict: Verdict;
  /** How long judging took. */
  readonly microseconds: number;
  /** The steps of the flight plan that the verdict rests on; left out where it needs none. */
  readonly planUse?: PlanUse;
};
/** A call of an answer with its verdict; without a verdict where it could not be prepared. */
export type JudgedCall =
  | CallWithVerdict
  | { readonly call: Call; readonly prepared: Exclude<PreparedAction, PreparedCall>; readonly verdict: null };

/**
 * Prepares and judges one call. What the owner said last may take back what they said before: until the model
 * has read it, nothing passes that would not pass without their words.
 */
export async function judgeCall(parts: JudgeCallParts, turn: Turn, call: Call): Promise<JudgedCall> {
  const judged = await judgeWith(parts, turn, call, { withoutWords: false });
  if (judged.verdict === null || judged.verdict.decision !== "pass") return judged;
  const { prepared } = judged;
  if (isApproved(parts, turn, prepared) || !(await hasUnreadWords(parts, turn))) return judged;
  const without = await judgeWith(parts, turn, call, { withoutWords: true });
  if (without.verdict?.decision === "pass") return judged;
  const facts = { ...prepared.facts, unreadWords: true };
  return { ...judged, prepared: { ...prepared, facts }, verdict: parts.judge(prepared.effects, facts) };
}

async function judgeWith(
  parts: JudgeCallParts,
  turn: Turn,
  call: Call,
  about: { readonly withoutWords: boolean },
): Promise<JudgedCall> {
  const rounds = roundsOf(turn, call);
  const caller = {
    ...(await parts.callerOf(turn, about)),
    call: `${turn.depth}/${call.id}`,
    ...(rounds.length === 0 ? {} : { rounds }),
  };
  const prepared = await parts.prepare(call.action, caller, []);
  if (!prepared.ok) return { call, prepared, verdict: null };
  const facts = {
    ...prepared.facts,
    licences: [
      ...prepared.facts.licences,
      ...licences(parts, turn, prepared),
      ...allowedByRules(parts, prepared),
    ],
    ...countRepeats(turn, call, parts.limits.repeats),
    ...disagreementOn(turn, call),
  };
  const begun = performance.now();
  const verdict = parts.judge(prepared.effects, facts);
  const microseconds = Math.round(1000 * (performance.now() - begun));
  const judged = { call, prepared: { ...prepared, facts }, verdict, microseconds };
  return judged.verdict.decision === "ask" ? judgeByPlan(parts, turn, judged) : judged;
}

/** Judges a call that asks again, in a turn of the owner or of a job that they approved, with what the flight plan of its session allows. Only a plan that answers every ask counts. */
async function judgeByPlan(
  { allowanceOfPlan, judge }: JudgeCallParts,
  turn: Turn,
  asking: CallWithVerdict,
): Promise<CallWithVerdict> {
  if (turn.signal.person !== "owner" && !isJobSignal(turn.signal)) return asking;
  const { action, effects, facts } = asking.prepared;
  const { workspace } = facts.folders;
  const { asks } = asking.verdict;
  const allowance = await allowanceOfPlan(planSessionOf(turn), {
    workspace,
    command: commandOf(action),
    effects,
    asks,
  });
  if (allowance === null) return asking;
  const licensed = { ...facts, licences: [...facts.licences, ...allowance.licences] };
  const verdict = judge(effects, licensed);
  if (verdict.decision !== "pass") return asking;
  return { ...asking, prepared: { ...asking.prepared, facts: licensed }, verdict, planUse: allowance.use };
}

/** Tells the clients what was proposed and decided, and journals what does not pass. */
export async function publishVerdict(
  parts: PublishVerdictParts,
  turn: Turn,
  judged: JudgedCall,
): Promise<void> {
  const where = { session: turn.session, turn: turn.id, call: judged.call.id };
  parts.emit({ type: "proposed", ...where, action: maskAction(judged.prepared.action, parts.filter) });
  if (judged.verdict === null) return;
  const { prepared, verdict, microseconds } = judged;
  const figures = { gates: parts.gateCount, microseconds };
  parts.emit({ type: "verdict", ...where, ...shown(verdict), effects: prepared.effects, ...figures });
  if (verdict.decision !== "pass")
    await parts.journal({ kind: "verdict", ...journalFields(turn, prepared, verdict) });
}

function shown({ decision, reason, trace }: Verdict) {
  return { verdict: decision, reason, trace };
}

/** The approval of these exact bytes under this very policy, as a fact; another digest or policy voids it. */
function licences(parts: JudgeCallParts, turn: Turn, prepared: PreparedCall): readonly Licence[] {
  if (turn.approved === null || !isApproved(parts, turn, prepared)) return [];
  return [
    {
      kind: "approval",
      name: turn.approved.by.slice(0, 8),
      discharges: turn.approved.codes,
      effectIndexes: prepared.effects.map((_, index) => index),
    },
  ];
}

/** Whether the owner approved these exact bytes under this very policy. */
function isApproved({ policyInForce }: JudgeCallParts, turn: Turn, prepared: PreparedCall): boolean {
  return turn.approved !== null && whyVoid(turn, prepared, policyInForce()) === null;
}

/**
 * Why the approval of a turn does not count for a call, as a clause; null where it counts, or where there
 * is none.
 */
export function whyVoid(
  { approved }: Turn,
  { digest, ranFor }: PreparedCall,
  now: PolicyInForce,
): string | null {
  if (approved === null) return null;
  if (approved.digest !== digest && ranFor !== undefined) return triedAgain;
  if (approved.digest !== digest) return "what it acts on changed since you said yes, so that yes is void";
  const { policy } = approved;
  if (policy === undefined || policy.gates !== now.gates)
    return changedSince("the gates were changed by an upgrade");
  if (policy.rules !== now.rules) return changedSince("your rules changed");
  return policy.settings === now.settings ? null : changedSince("what you allow by your settings changed");
}

const triedAgain =
  "it was tried again, and what it did is not what you said yes to, so that yes is void (if it does something else each time, as with a time in a file, start passepartout daemon or a conversation, and say yes there: they keep what was tried)";

function changedSince(what: string): string {
  return `${what} since you were asked, so that yes is void`;
}

function allowedByRules({ licencesOfRules }: JudgeCallParts, prepared: PreparedCall): readonly Licence[] {
  const { action, effects, facts } = prepared;
  const { workspace } = facts.subTask ?? facts.folders;
  return licencesOfRules({ workspace, command: commandOf(action), effects });
}

/** What the journal keeps of a judged call. */
export function journalFields(turn: Turn, prepared: PreparedCall, verdict: Verdict) {
  return {
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    effects: prepared.effects,
    facts: prepared.facts,
    verdict: verdict.decision,
    trace: verdict.trace,
    changes: prepared.changes,
  };
}

/** The name of a call in results and reasons: its tool, else its target. */
export function toolNameOf(judged: JudgedCall): string {
  if (judged.prepared.ok && judged.prepared.tool !== null) return judged.prepared.tool;
  return toolNamed(judged.call);
}

/** The tool that a call names, else its target. */
export function toolNamed({ action: { target, payload } }: Call): string {
  return typeof payload["tool"] === "string" ? payload["tool"] : target;
}
