import { commandOf } from "../shown/action-text.ts";
import type { PolicyInForce } from "../signal/approval.ts";
import type { Turn } from "../signal/turn.ts";
import type { CallWithVerdict } from "./judge-call.ts";
import type { AppendToJournal, StepPorts } from "./step-ports.ts";

/** What saying yes to what the owner typed needs. */
export type ApproveTypedParts = StepPorts & {
  readonly journal: AppendToJournal;
  readonly policyInForce: () => PolicyInForce;
  /** The command line that the owner typed to be run; null in a turn that began otherwise. */
  readonly typedCommand: (turn: Turn) => string | null;
};

/** Who said yes to a command that its owner typed. */
const byTyping = "typed";

/** Whether a call runs the very command line that the owner typed, with nothing beside it, and was not said yes to before. */
export function isTyped(
  { typedCommand }: Pick<ApproveTypedParts, "typedCommand">,
  turn: Turn,
  { call }: Pick<CallWithVerdict, "call">,
): boolean {
  const typed = typedCommand(turn);
  if (typed === null || commandOf(call.action) !== typed) return false;
  return Object.keys(call.action.payload).length === 1 && turn.approved?.by !== byTyping;
}

/** The owner typed the command themselves: that is their yes to what would be asked about it. What blocks still blocks. */
export async function approveTyped(
  parts: ApproveTypedParts,
  turn: Turn,
  { prepared, verdict }: CallWithVerdict,
): Promise<Turn> {
  const codes = verdict.asks.map(({ code }) => code);
  const { id, session } = turn;
  const detail = { answer: "yes", typed: true };
  await parts.journal({ kind: "approval", turn: id, session, digest: prepared.digest, detail });
  const approved = { digest: prepared.digest, by: byTyping, codes, policy: parts.policyInForce() };
  const next: Turn = { ...turn, state: "judging", approved, updatedAt: parts.clock() };
  await parts.state.commit({ turn: next });
  return next;
}
