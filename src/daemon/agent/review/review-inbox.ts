import { randomUUID } from "node:crypto";
import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { type KeptProposal, reviewFileName } from "../../../signal/review.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import { openOnes } from "../../commands/current-proposal.ts";
import { isInboxLost, lookAtInbox } from "../../commands/look-at-inbox.ts";
import { sessionNameOf } from "../resources/cap-of-job.ts";
import type { NewProposal, ProposeOutcome, ReviewInboxParts } from "./new-proposal.ts";

/** The review inbox as background jobs use it. */
export type ReviewInbox = {
  /** Proposes changes under the name of a job or skill, and returns the outcome of each in order. The same proposal twice makes one entry; a rejected one is not proposed again. */
  readonly propose: (by: string, proposals: readonly NewProposal[]) => Promise<readonly ProposeOutcome[]>;
  /** True if a proposal with this key was made before, whatever its state. */
  readonly isKnown: (by: string, key: string) => Promise<boolean>;
  /** All proposals under a name in their current state. */
  readonly allOf: (by: string) => Promise<readonly KeptProposal[]>;
  /** The given keys without those that the owner rejected, in their order. */
  readonly notRefused: (by: string, keys: readonly string[]) => Promise<readonly string[]>;
  /** Withdraws the open proposals of a proposer that have none of these keys. Returns their number. */
  readonly withdraw: (by: string, keys: readonly string[]) => Promise<number>;
  /** Writes the entries that the inbox lacks; false if it lacks none. */
  readonly file: () => Promise<boolean>;
};

/** Opens the review inbox. `loopOf` gives the loop, whose turns write it. */
export function openReviewInbox(parts: ReviewInboxParts, loopOf: () => Loop): ReviewInbox {
  return {
    async propose(by, proposals) {
      const { keepProposals } = await import("./keep-proposals.ts");
      const outcomes = await keepProposals(parts, by, proposals);
      if (outcomes.includes("proposed")) await fileAll(parts, loopOf());
      return outcomes;
    },
    async isKnown(by, key) {
      const { idOfKey } = await import("./keep-proposals.ts");
      return (await parts.state.proposals.get(idOfKey(by, key))) !== null;
    },
    async allOf(by) {
      const { proposalsOf } = await import("./keep-proposals.ts");
      await lookAtInbox(parts);
      return proposalsOf(parts, by);
    },
    async notRefused(by, keys) {
      const { idOfKey, proposalsOf } = await import("./keep-proposals.ts");
      await lookAtInbox(parts);
      const refused = new Set(
        (await proposalsOf(parts, by)).flatMap(({ id, state }) => (state === "rejected" ? [id] : [])),
      );
      return keys.filter((key) => !refused.has(idOfKey(by, key)));
    },
    async withdraw(by, keys) {
      const { idOfKey, openProposals } = await import("./keep-proposals.ts");
      await lookAtInbox(parts);
      const ids = new Set(keys.map((key) => idOfKey(by, key)));
      const gone = (await openProposals(parts, by)).filter(({ id }) => !ids.has(id));
      for (const { id } of gone) await parts.state.proposals.decide(id, "withdrawn", null);
      if (gone.length > 0) await fileAll(parts, loopOf());
      return gone.length;
    },
    file: () => fileAll(parts, loopOf()),
  };
}

/**
 * Writes the entries as a turn that nobody started: judged, journalled, and deferred where an editor has the file. Where the file is missing, all that waits is
 * written again.
 */
async function fileAll(parts: ReviewInboxParts, loop: Loop): Promise<boolean> {
  const { state, clock, report } = parts;
  const isLost = await isInboxLost(parts);
  if (!isLost && (await state.proposals.unfiled()).length === 0) return false;
  await lookAtInbox(parts);
  const open = isLost ? (await openOnes(state)).map(({ id }) => id) : [];
  const ids = [...new Set([...open, ...(await state.proposals.unfiled())])];
  if (ids.length === 0) return false;
  const session = await state.sessions.open({
    name: sessionNameOf("review"),
    workspace: null,
    source: "cli",
  });
  const at = clock();
  const kept = await Promise.all(ids.map((id) => state.proposals.get(id)));
  // A failed write is retried on the next day; a file that is missing again is written in the next hour.
  const [day, hour] = [10, 13];
  const about = sha256(JSON.stringify([new Date(at).toISOString().slice(0, isLost ? hour : day), kept]));
  const submitted = await loop.submit({
    id: randomUUID(),
    clientId: `review/${about}`,
    sensor: "cron",
    session: session.id,
    source: "cli",
    person: "nobody",
    text: "(Proposals for the review inbox.)",
    payload: { text: "", tier: "reflex", review: ids },
    depth: 0,
    label: { ...bottomLabel, integrity: "agent" },
    at,
  });
  if (submitted.kind !== "turn") return false;
  // An equal turn may be under way already; then its caller reports a failure.
  await loop.whenSettled(submitted.turn);
  if (!submitted.fresh) return false;
  const turn = await state.turns.get(submitted.turn);
  const failed =
    turn?.state !== "answered" || (await state.proposals.unfiled()).some((id) => ids.includes(id));
  if (failed) report(`The proposals for ${reviewFileName} could not be written: ${turn?.text ?? ""}`);
  return true;
}
