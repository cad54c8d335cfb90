import type { State } from "../memory/state/state.ts";
import type { Turn } from "../signal/turn.ts";
import { doneBefore, type EndTurnParts, finishTurn } from "./end-turn.ts";

/** What ending the questions that were not answered in time needs. */
export type ExpireApprovalParts = EndTurnParts & { readonly state: Pick<State, "turns"> };

/** Ends every suspended turn whose question was not answered in time. */
export async function expireApprovals(parts: ExpireApprovalParts): Promise<void> {
  for (const id of await parts.state.approvals.suspendedPastExpiry(parts.clock())) {
    const turn = await parts.state.turns.get(id);
    if (turn !== null) await expireApproval(parts, turn);
  }
}

/** Ends a suspended turn whose question was not answered in time, which means no; a turn whose question is open stays. */
export async function expireApproval(parts: EndTurnParts, turn: Turn): Promise<void> {
  if (turn.state !== "suspended") return;
  const question = (await parts.state.approvals.byTurn(turn.id, turn.session)).findLast(
    ({ state }) => state === "open" || state === "expired",
  );
  if (question?.state === "open") return;
  await finishTurn(parts, turn, {
    state: "blocked",
    code: "expired",
    text: `The approval was not given in time, which means no. ${doneBefore(parts, turn)}`,
    ...(question === undefined
      ? {}
      : { closeApproval: { tokenHash: question.tokenHash, state: "expired" as const } }),
  });
}
