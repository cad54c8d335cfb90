import type { TurnStep } from "../memory/state/steps.ts";
import type { FinalState, Turn } from "../signal/turn.ts";
import { deferredEditId } from "./defer-edit.ts";
import type { DriveParts } from "./turn-ports.ts";

/** How a turn ends. */
export type TurnEnd = {
  readonly state: FinalState;
  readonly code: string;
  readonly text: string;
  readonly messages?: Turn["messages"];
  readonly putOff?: TurnStep["deferredEdit"];
  readonly closeApproval?: { readonly tokenHash: string; readonly state: "denied" | "expired" | "void" };
};

/** The most proposals of one step that may be refused before the last refusal is the result. */
const proposalsAStep = 3;

/** Ends a suspended turn whose question was not answered in time, which means no; false where it still may be. */
export async function expireQuestion(parts: DriveParts, turn: Turn): Promise<boolean> {
  if (turn.state !== "suspended") return false;
  const asked = (await parts.state.approvals.byTurn(turn.id, turn.session)).findLast(
    ({ state }) => state === "open" || state === "expired",
  );
  if (asked?.state === "open") return false;
  await finishTurn(parts, turn, {
    state: "blocked",
    code: "expired",
    text: "The approval was not given in time, which means no. Nothing of it was done.",
    ...(asked === undefined
      ? {}
      : { closeApproval: { tokenHash: asked.tokenHash, state: "expired" as const } }),
  });
  return true;
}

/** Commits the end of a turn with its answer for the session, and tells the clients. */
export async function finishTurn(parts: DriveParts, turn: Turn, ending: TurnEnd): Promise<Turn> {
  const at = parts.clock();
  const text = parts.filter(ending.text);
  const final: Turn = {
    ...turn,
    state: ending.state,
    code: ending.code,
    text,
    messages: ending.messages ?? turn.messages,
    pending: [],
    running: null,
    approved: null,
    updatedAt: at,
  };
  const open =
    turn.state === "suspended" && ending.closeApproval === undefined ? await openApproval(parts, turn) : null;
  const closeApproval =
    ending.closeApproval ?? (open === null ? undefined : { tokenHash: open, state: "void" as const });
  const waited = deferredEditId(turn);
  await parts.state.commit({
    turn: final,
    answer: {
      id: parts.newId(),
      session: turn.session,
      turn: turn.id,
      state: ending.state,
      text,
      at,
      delivered: false,
    },
    ...(closeApproval === undefined ? {} : { closeApproval }),
    deferredEdit: ending.putOff,
    ...(waited === "" ? {} : { endsDeferredEdit: waited }),
  });
  const where = { session: turn.session, turn: turn.id };
  if (ending.state === "answered") parts.emit({ type: "answered", ...where, text });
  else parts.emit({ type: ending.state, ...where, code: ending.code, reason: text });
  return final;
}

/** Counts one refusal against the step: back to the model with the reasons, or the end of the turn after the third. */
export async function refuseProposal(
  parts: DriveParts,
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
  const next: Turn = {
    ...turn,
    state: "thinking",
    depth: turn.depth + 1,
    rejections,
    messages: refusal.messages,
    pending: [],
    running: null,
    approved: null,
    updatedAt: parts.clock(),
  };
  await parts.state.commit({ turn: next });
  return next;
}

async function openApproval(parts: DriveParts, turn: Turn): Promise<string | null> {
  const open = await parts.state.approvals.open(turn.session);
  return open.find((approval) => approval.turn === turn.id)?.tokenHash ?? null;
}
