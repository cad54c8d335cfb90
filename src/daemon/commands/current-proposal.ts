import type { State } from "../../memory/state/state.ts";
import type { KeptProposal } from "../../signal/review.ts";
import { isFinal } from "../../signal/turn.ts";

/** The current state of a proposal: it is open again if its decision was undone or its turn failed. */
export async function currentProposal(
  { changes, turns }: Pick<State, "changes" | "turns">,
  proposal: KeptProposal,
): Promise<KeptProposal> {
  const { state } = proposal;
  if ((state !== "accepted" && state !== "rejected") || proposal.turn === null) return proposal;
  const made = (await changes.ofTurn(proposal.turn)).filter(({ kind }) => kind === "file");
  const open: KeptProposal = { ...proposal, state: "open", turn: null };
  if (made.length > 0) return made.every(({ undone }) => undone) ? open : proposal;
  const turn = await turns.get(proposal.turn);
  return turn !== null && isFinal(turn.state) && turn.state !== "answered" ? open : proposal;
}

/** All open and decided proposals in their current state. */
export async function currentProposals(
  state: Pick<State, "changes" | "turns" | "proposals">,
): Promise<readonly KeptProposal[]> {
  const kept = await state.proposals.list(["open", "accepted", "rejected"]);
  return Promise.all(kept.map((one) => currentProposal(state, one)));
}

/** The proposals that wait for the owner. */
export async function openOnes(
  state: Pick<State, "changes" | "turns" | "proposals">,
): Promise<readonly KeptProposal[]> {
  return (await currentProposals(state)).filter((one) => one.state === "open");
}
