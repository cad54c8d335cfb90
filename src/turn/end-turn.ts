import type { State } from "../memory/state/state.ts";
import type { TurnStep } from "../memory/state/steps.ts";
import { nameAct } from "../shown/action-text.ts";
import { endingOf } from "../signal/failed-outcome.ts";
import { maskAction } from "../signal/mask-values.ts";
import { type FinalState, isByReflex, type Turn } from "../signal/turn.ts";
import type { TraceLine } from "../signal/verdict.ts";
import { callsWithResults } from "./count-repeats.ts";
import { deferredEditId } from "./deferred-edit-turn.ts";
import type { ClientPorts, StepPorts } from "./step-ports.ts";

/** What ending a turn needs. */
export type EndTurnParts = StepPorts & ClientPorts & { readonly state: Pick<State, "approvals"> };

/** How a turn ends. */
export type TurnEnd = {
  readonly state: FinalState;
  readonly code: string;
  readonly text: string;
  readonly messages?: Turn["messages"];
  /** The trace of the verdict on the answer. */
  readonly trace?: readonly TraceLine[];
  readonly deferredEdit?: TurnStep["deferredEdit"];
  readonly closeApproval?: { readonly tokenHash: string; readonly state: "denied" | "expired" | "void" };
};

/** The most proposals of one step that may be refused before the last refusal is the result. */
const proposalsAStep = 3;

/** Ends a turn: its end and its answer are on the disk before the clients are told. */
export async function finishTurn(parts: EndTurnParts, turn: Turn, end: TurnEnd): Promise<Turn> {
  const at = parts.clock();
  const text = parts.filter(end.text);
  const final: Turn = {
    ...turn,
    state: end.state,
    code: end.code,
    text,
    messages: end.messages ?? turn.messages,
    pending: [],
    rounds: undefined,
    running: null,
    approved: null,
    updatedAt: at,
  };
  const open =
    turn.state === "suspended" && end.closeApproval === undefined ? await openApproval(parts, turn) : null;
  const closeApproval =
    end.closeApproval ?? (open === null ? undefined : { tokenHash: open, state: "void" as const });
  const waited = deferredEditId(turn);
  await parts.state.commit({
    turn: final,
    answer: {
      id: parts.newId(),
      session: turn.session,
      turn: turn.id,
      state: end.state,
      text,
      at,
      delivered: false,
    },
    ...(closeApproval === undefined ? {} : { closeApproval }),
    deferredEdit: end.deferredEdit,
    ...(waited === "" ? {} : { endsDeferredEdit: waited }),
  });
  const where = { session: turn.session, turn: turn.id };
  if (end.state === "answered") {
    parts.emit({
      type: "answered",
      ...where,
      text,
      ...(end.trace === undefined ? {} : { trace: end.trace }),
      ...(isByReflex(final) ? { plain: true } : {}),
    });
  } else parts.emit({ type: end.state, ...where, code: end.code, reason: text });
  return final;
}

/** Counts one refusal against the step. The turn goes back to the model with the reasons; the third refusal ends it. */
export async function refuseProposal(
  parts: EndTurnParts,
  turn: Turn,
  refusal: { readonly code: string; readonly reason: string; readonly messages: Turn["messages"] },
): Promise<Turn> {
  const rejections = turn.rejections + 1;
  if (rejections >= proposalsAStep) {
    return finishTurn(parts, turn, {
      state: "blocked",
      code: refusal.code,
      text: `Refused after ${rejections} proposals. The last reason: ${refusal.reason}`,
      messages: refusal.messages,
    });
  }
  const next = { ...thinkingAgain(parts, turn, refusal.messages), rejections };
  await parts.state.commit({ turn: next, durability: "unforced" });
  return next;
}

/** A turn that goes back to the model one step deeper, without the calls that did not run. */
export function thinkingAgain(parts: StepPorts, turn: Turn, messages: Turn["messages"]): Turn {
  return {
    ...turn,
    state: "thinking",
    depth: turn.depth + 1,
    messages,
    pending: [],
    rounds: undefined,
    running: null,
    approved: null,
    updatedAt: parts.clock(),
  };
}

/** What a turn had done before its owner said no. */
export function doneBefore({ filter }: Pick<EndTurnParts, "filter">, turn: Turn): string {
  const done = callsWithResults(turn).flatMap(({ action, outcome }) => {
    if (outcome.status !== "success") return [];
    const ending = endingOf(outcome);
    return [`${nameAct(maskAction(action, filter))}${ending === "success" ? "" : ` (${ending})`}`];
  });
  if (done.length === 0) return "Nothing was done.";
  return `That was not done. Done before it in this turn: ${done.join("; ")}. /undo takes back what was changed.`;
}

async function openApproval(parts: EndTurnParts, turn: Turn): Promise<string | null> {
  const open = await parts.state.approvals.open(turn.session);
  return open.find((approval) => approval.turn === turn.id)?.tokenHash ?? null;
}
