import type { Call } from "../signal/action.ts";
import { type CallRound, describeRounds } from "../signal/call-round.ts";
import { needsOwner } from "../signal/jobs/call-caps.ts";
import { notRun } from "../signal/jobs/refusal-codes.ts";
import { bottomLabel, joinAll, type Label } from "../signal/label.ts";
import type { Message } from "../signal/message.ts";
import type { Outcome, ToolResult } from "../signal/tool.ts";
import { isByReflex, type Turn } from "../signal/turn.ts";
import { greatest } from "../text/lists.ts";
import { countRefusals } from "./count-repeats.ts";
import { isDeferredEditTurn } from "./deferred-edit-turn.ts";
import { consensusOf } from "./disagreement-on.ts";
import { finishTurn, refuseProposal } from "./end-turn.ts";
import { type JudgedCall, type PreparedCall, toolNamed, toolNameOf } from "./judge-call.ts";
import { type ProposeDeferredEditParts, proposeDeferredEdit } from "./propose-deferred-edit.ts";
import { labelOfAgent, resultMessage } from "./record-result.ts";
import { roundsOf } from "./rounds-of.ts";
import type { StepPorts } from "./step-ports.ts";

/** A call that does not run, and why. */
export type RefusedCall = {
  readonly call: Call;
  readonly tool: string;
  readonly reason: string;
  /** What would pass instead, in words for the model; left out where nothing is known to. */
  readonly instead?: string | undefined;
  /** The gates that blocked it; left out where none did. */
  readonly gates?: readonly string[];
  /** The step of a job's entry that would allow it; left out where none would. */
  readonly step?: string;
  /**
   * Who refused it: `blocked` by the judge, `denied-by-owner`; or nobody was there whom it could ask, no
   * further call may be made, or why it cannot be made.
   */
  readonly code: string;
  /** Of the reason, as far as others than this program made it; left out where none did. */
  readonly label?: Label;
};

/**
 * The calls that cannot be made at all, such as those of tools that do not exist, and then those that their
 * verdicts refuse.
 */
export function refusedByJudge(judged: readonly JudgedCall[]): readonly RefusedCall[] {
  const impossible = judged.flatMap((one): readonly RefusedCall[] =>
    one.verdict === null
      ? [
          {
            call: one.call,
            tool: toolNameOf(one),
            reason: one.prepared.message,
            code: one.prepared.code,
            label: one.prepared.label ?? bottomLabel,
          },
        ]
      : [],
  );
  const refused = judged.flatMap((one): readonly RefusedCall[] =>
    one.verdict !== null && one.verdict.decision !== "pass"
      ? [
          {
            call: one.call,
            tool: toolNameOf(one),
            reason: one.verdict.reason,
            instead: one.verdict.instead,
            code: "blocked",
            gates: one.verdict.trace.filter(({ result }) => result === "blocked").map(({ gate }) => gate),
            label: labelOfObjections(one.prepared),
          },
        ]
      : [],
  );
  return [...impossible, ...refused];
}

/** The label of why a call is refused: of what it would do, and of what the gates of skills said of it. */
function labelOfObjections({ reasonLabel = bottomLabel, facts: { taught = [] } }: PreparedCall): Label {
  return joinAll([reasonLabel, ...taught.map(({ label = bottomLabel }) => label)]);
}

/** Refuses an answer: no call of it runs, each gets a result that says so, and all count as one refusal. */
export async function refuseCalls(
  parts: ProposeDeferredEditParts,
  turn: Turn,
  refused: readonly RefusedCall[],
): Promise<Turn> {
  const reason = joinReasons(refused);
  const messages = [...turn.messages, ...resultsOfRefusal(parts, turn, refused)];
  if (isDeferredEditTurn(turn)) return proposeDeferredEdit(parts, { ...turn, messages });
  if (cannotCorrect(turn))
    return finishTurn(parts, turn, { state: "blocked", code: "blocked", text: reason, messages });
  // What was done between does not count: an act that is refused for the third time ends the turn.
  const refusals = greatest(refused.map(({ call }) => countRefusals({ messages }, call)));
  const rejections = Math.max(turn.rejections, refusals - 1);
  return refuseProposal(parts, { ...turn, rejections }, { code: "blocked", reason, messages });
}

/** A result for each call that has none yet: why it was refused, or that it did not run because of another. */
export function resultsOfRefusal(
  parts: Pick<StepPorts, "newId">,
  turn: Turn,
  refused: readonly RefusedCall[],
): readonly Message[] {
  // The reason of each stands in the results of all, with what other models said, who may have seen more.
  const label = joinAll([
    labelOfAgent(turn),
    labelOfDisagreement(turn),
    ...refused.map((one) => one.label ?? bottomLabel),
  ]);
  return turn.pending.map((call) => {
    const own = refused.find((one) => one.call.id === call.id);
    const result: ToolResult = {
      id: parts.newId(),
      tool: own?.tool ?? toolNamed(call),
      outcome: withDone(own === undefined ? withoutRun(refused) : outcomeOf(own), roundsOf(turn, call)),
      label,
    };
    return resultMessage(turn, call, result);
  });
}

function labelOfDisagreement(turn: Turn): Label {
  const consensus = consensusOf(turn);
  return consensus === null || consensus.disagreement === null ? bottomLabel : consensus.label;
}

type RefusalOutcome = Outcome & { readonly status: "error" };

function outcomeOf({ code, reason, instead, step, gates = [] }: RefusedCall): RefusalOutcome {
  const isForbidden = code === "blocked" || code === needsOwner;
  const why = isForbidden ? `Not allowed: ${reason}` : reason;
  return {
    status: "error",
    code,
    message: instead === undefined ? why : `${why.replace(/\.$/, "")}. ${instead}`,
    ...(step === undefined ? {} : { step }),
    ...(gates.length === 0 ? {} : { gates }),
  };
}

function withoutRun(refused: readonly RefusedCall[]): RefusalOutcome {
  const message = `Not run, because another call of the same answer was refused: ${joinReasons(refused)}`;
  return { status: "error", code: notRun, message };
}

/** A call that was refused after some rounds says what it did before. */
function withDone(outcome: RefusalOutcome, rounds: readonly CallRound[]): RefusalOutcome {
  return rounds.length === 0
    ? outcome
    : { ...outcome, message: `${outcome.message}${describeRounds(rounds)}` };
}

function joinReasons(refused: readonly RefusedCall[]): string {
  return refused.map(({ tool, reason }) => `${tool}: ${reason}`).join(" ");
}

/** The reflex engine would propose the same again, so its first refusal is the result. */
export function cannotCorrect(turn: Turn): boolean {
  return isByReflex(turn);
}
