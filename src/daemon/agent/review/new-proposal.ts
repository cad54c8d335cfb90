import type { Proposal } from "../../../signal/review.ts";
import { countOf } from "../../../text/count-of.ts";
import type { LoopResources } from "../resources/loop-resources.ts";

/** A change of one file, by its contents before (null: there is no file) and after. `path` is real. */
export type ProposedVersions = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
};

/** A change or a task to propose. `key` identifies its subject if its words or its change may vary: a later proposal with the same key replaces it. */
export type NewProposal = Omit<Proposal, "by" | "change"> & {
  readonly key?: string;
  /** The ids of the lines of conversations that it was made from: once the owner forgets one of them, it is not proposed. */
  readonly madeFrom?: readonly string[];
  readonly change:
    | { readonly kind: "files"; readonly files: readonly ProposedVersions[]; readonly job?: string }
    | { readonly kind: "none"; readonly next: string };
};

/**
 * The outcome of a proposal. `known`: it is there already; `full`: its proposer has too many open ones; `secret`: it has secret text; `unfit`: its change
 * cannot be shown as a diff; `forgotten`: the owner forgot a line that it was made from.
 */
export type ProposeOutcome = "proposed" | "known" | "rejected" | "full" | "secret" | "unfit" | "forgotten";

const whyLeftOut = {
  full: "since too many wait in review.org",
  secret: "since it has what looks like a secret",
  unfit: "since its change cannot be shown as a diff",
} as const;

/** The report of a job on its proposals, with the ones that were left out and the reasons. Null if there is nothing to report. */
export function describeProposed(done: string | null, outcomes: readonly ProposeOutcome[]): string | null {
  const leftOut = (["full", "secret", "unfit"] as const).flatMap((why) => {
    const count = outcomes.filter((outcome) => outcome === why).length;
    return count === 0 ? [] : [`${countOf(count, "proposal")} left out, ${whyLeftOut[why]}`];
  });
  const all = [...(done === null ? [] : [done]), ...leftOut];
  return all.length === 0 ? null : all.join("; ");
}

/** The number of new proposals. */
export function countProposed(outcomes: readonly ProposeOutcome[]): number {
  return outcomes.filter((outcome) => outcome === "proposed").length;
}

/** What the inbox needs. */
export type ReviewInboxParts = Pick<LoopResources, "policy" | "state" | "clock" | "report">;
