import type { Proposal } from "../../signal/review.ts";
import type { LoopResources } from "./loop-resources.ts";

/** A change of one file, by its contents before (null: there is no file) and after. `path` is real. */
export type ProposedVersions = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
};

/** Something to propose. `key` names what it is about where its words or its change may vary: a later one with the same key takes its place. */
export type NewProposal = Omit<Proposal, "by" | "change"> & {
  readonly key?: string;
  readonly change:
    | { readonly kind: "files"; readonly files: readonly ProposedVersions[] }
    | { readonly kind: "none"; readonly next: string };
};

/** What became of a proposal. `known`: it is there already; `full`: its proposer has too many open ones; `unfit`: its change cannot be shown as a diff, or has secret text. */
export type ProposeOutcome = "proposed" | "known" | "rejected" | "full" | "unfit";

/** What the inbox needs. */
export type ReviewInboxParts = Pick<LoopResources, "policy" | "state" | "clock" | "report">;
