import { createHash, randomUUID } from "node:crypto";
import { bottomLabel } from "../../../signal/label.ts";
import { type KeptProposal, reviewFileName } from "../../../signal/review.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import { openOnes } from "../../commands/current-proposal.ts";
import { isInboxLost, lookAtInbox } from "../../commands/look-at-inbox.ts";
import { sessionNameOf } from "../resources/cap-of-job.ts";
import type { NewProposal, ProposeOutcome, ReviewInboxParts } from "./new-proposal.ts";

/** The review inbox, for whoever proposes something in the background. */
export type ReviewInbox = {
  /** Proposes changes under the name of a job or skill. Gives what became of each, in order. The same proposal twice is one entry, and what the owner rejected is not proposed again. */
  readonly propose: (by: string, proposals: readonly NewProposal[]) => Promise<readonly ProposeOutcome[]>;
  /** Whether something with this key was proposed before, whatever became of it. */
  readonly isKnown: (by: string, key: string) => Promise<boolean>;
  /** All that was proposed under a name, as it stands now. */
  readonly allOf: (by: string) => Promise<readonly KeptProposal[]>;
  /** Those of some keys that the owner did not refuse, in their order. */
  readonly notRefused: (by: string, keys: readonly string[]) => Promise<readonly string[]>;
  /** Takes back what a proposer proposed and no longer proposes: what has none of these keys. Gives how many. */
  readonly withdraw: (by: string, keys: readonly string[]) => Promise<number>;
  /** Writes what the inbox does not show yet; false where there is nothing to write. */
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
  // What cannot be written is tried again on the next day, and a file that is missing again in the next hour.
  const [day, hour] = [10, 13];
  const about = createHash("sha256")
    .update(JSON.stringify([new Date(at).toISOString().slice(0, isLost ? hour : day), kept]))
    .digest("hex");
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
  // Where something else began the same, it may still be under way, and whoever proposes says that it is written.
  await loop.whenSettled(submitted.turn);
  if (!submitted.fresh) return false;
  const turn = await state.turns.get(submitted.turn);
  const failed =
    turn?.state !== "answered" || (await state.proposals.unfiled()).some((id) => ids.includes(id));
  if (failed) report(`The proposals for ${reviewFileName} could not be written: ${turn?.text ?? ""}`);
  return true;
}
