import type { State } from "../../memory/state/state.ts";
import type { KeptProposal } from "../../signal/review.ts";
import { isFinal } from "../../signal/turn.ts";

/** A proposal as it stands: one whose change was taken back, or was never made, is open again. */
export async function currentProposal(
  { changes, turns }: Pick<State, "changes" | "turns">,
  proposal: KeptProposal,
): Promise<KeptProposal> {
  if (proposal.state !== "accepted" || proposal.turn === null) return proposal;
  const made = (await changes.ofTurn(proposal.turn)).filter(({ kind }) => kind === "file");
  const open: KeptProposal = { ...proposal, state: "open", turn: null };
  if (made.length > 0) return made.every(({ undone }) => undone) ? open : proposal;
  const turn = await turns.get(proposal.turn);
  return turn !== null && isFinal(turn.state) && turn.state !== "answered" ? open : proposal;
}
