import type { Json } from "../text/json.ts";
import type { Label } from "./label.ts";

/** The file of the notes folder that proposals are in. */
export const reviewFileName = "review.org";

/** The proposed change of one file: the whole unified diff from the contents with the digest `before` (null: there is no file) to those with `after`. `path` is real. */
export type ProposedEdit = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly diff: string;
};

/** The effect of accepting a proposal: it changes these files, or it only records that the owner did what `next` says. */
export type ProposedChange =
  | {
      readonly kind: "files";
      readonly files: readonly ProposedEdit[];
      /** The job whose entry this changes in `jobs.org`. No action writes that file: the program does, and the job runs as it stands there then. */
      readonly job?: string;
    }
  | { readonly kind: "none"; readonly next: string };

/** A proposal that background work makes to the owner. */
export type Proposal = {
  /** The proposer: the name of a job or a skill. */
  readonly by: string;
  readonly title: string;
  readonly why: string;
  /** Its origin: words, or an Org link. */
  readonly source: string;
  /** The label of all its sources. Its text keeps the label, in the inbox and in the changed files. */
  readonly label: Label;
  readonly change: ProposedChange;
  /** Set if it replaced a waiting proposal: a part of its digest. Only `ID@REVISION` accepts it, so that nobody accepts an unseen change. */
  readonly revision?: string;
  /** The proposal that the inbox shows until this one is filed. */
  readonly replaced?: Pick<Proposal, "title" | "why" | "source" | "label" | "change">;
};

/** `withdrawn`: its proposer no longer needs it. */
export type ProposalState = "open" | "accepted" | "rejected" | "withdrawn";

/** A stored proposal. */
export type KeptProposal = Proposal & {
  readonly id: string;
  readonly state: ProposalState;
  /** The turn that decided on it; null before. */
  readonly turn: string | null;
  /** True if the inbox shows its current state. */
  readonly filed: boolean;
  /** The time of the first proposal, in Unix milliseconds. */
  readonly at: number;
};

/** A decision on one proposal, or its undoing. */
export type ReviewStep = { readonly verb: "accept" | "reject" | "undo"; readonly id: string };

/** A request of the owner to the review inbox. */
export type ReviewRequest =
  | { readonly verb: "list" }
  /** Several independent steps, in this order. */
  | { readonly verb: "each"; readonly steps: readonly ReviewStep[] }
  /** `archive`: an ID of a note, or the name of a file, whose done trees are to be archived. */
  | { readonly verb: "show" | "accept" | "reject" | "undo" | "archive"; readonly id: string };

/** The request of a verb and an ID; null if they do not form one. */
export function reviewRequestOf(verb: string, id: string | null): ReviewRequest | null {
  switch (verb) {
    case "list":
      return id === null ? { verb } : null;
    case "show":
    case "accept":
    case "reject":
    case "undo":
    case "archive":
      return id === null ? null : { verb, id };
    default:
      return null;
  }
}

/** Reads a request. No words list the proposals, an ID alone shows one, and several IDs are several steps. */
export function readReviewRequest(words: string): ReviewRequest | null {
  const [verb = "", id = null, ...more] = words.split(/\s+/);
  if (more.length > 0) {
    const steps = [...new Set([id ?? "", ...more])].flatMap((one) => reviewRequestOf(verb, one) ?? []);
    const meant = steps.filter(isStep);
    return meant.length === 0 || meant.length < steps.length ? null : { verb: "each", steps: meant };
  }
  return id === null && verb.startsWith("review-")
    ? reviewRequestOf("show", verb)
    : reviewRequestOf(verb || "list", id);
}

function isStep(request: ReviewRequest): request is ReviewStep {
  return isDecision(request) || request.verb === "undo";
}

/** True for a request that decides on proposals. Each decision is a turn of its own. */
export function isDecision(request: ReviewRequest): boolean {
  return request.verb === "each"
    ? request.steps.every(isDecision)
    : request.verb === "accept" || request.verb === "reject";
}

/** A proposal as data. */
export function proposalData(proposal: KeptProposal, state: string): Json {
  const { id, by, title, why, source, label, change, at, revision } = proposal;
  return {
    id,
    by,
    state,
    title,
    why,
    source,
    integrity: label.integrity,
    secrecy: label.secrecy,
    "proposed-ms": at,
    revision: revision ?? null,
    next: change.kind === "none" ? change.next : null,
    files: change.kind === "none" ? [] : change.files.map((file) => ({ ...file })),
  };
}
