import type { Json } from "./json.ts";
import type { Label } from "./label.ts";

/** The file of the notes folder that proposals are in. */
export const reviewFileName = "review.org";

/** A change of one file that is proposed: the whole unified diff from the contents with the digest `before` (null: there is no file) to those with `after`. `path` is real. */
export type ProposedEdit = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly diff: string;
};

/** What accepting a proposal does: it changes these files, or it only notes that the owner did what `next` says. */
export type ProposedChange =
  | {
      readonly kind: "files";
      readonly files: readonly ProposedEdit[];
      /** The job whose entry this changes in `jobs.org`. No action writes that file: the program does, and the job runs as it stands there then. */
      readonly job?: string;
    }
  | { readonly kind: "none"; readonly next: string };

/** Something that is proposed to the owner in the background. */
export type Proposal = {
  /** Who proposes it: the name of a job or of a skill. */
  readonly by: string;
  readonly title: string;
  readonly why: string;
  /** Where it came from: words, or a link of Org. */
  readonly source: string;
  /** The label of everything that it was made from: its text keeps that, in the inbox and where it is accepted. */
  readonly label: Label;
  readonly change: ProposedChange;
  /** Of a proposal that took the place of one that waited: a part of its digest. It is accepted as `ID@REVISION` alone, so that nobody accepts what they did not see. */
  readonly revision?: string;
  /** What the inbox shows in its place as long as this is not filed. */
  readonly replaced?: Pick<Proposal, "title" | "why" | "source" | "label" | "change">;
};

/** `withdrawn`: whoever proposed it found it no longer needed. */
export type ProposalState = "open" | "accepted" | "rejected" | "withdrawn";

/** A proposal that is kept. */
export type KeptProposal = Proposal & {
  readonly id: string;
  readonly state: ProposalState;
  /** The turn in which it was accepted; null before. */
  readonly turn: string | null;
  /** Whether the inbox shows it as it is. */
  readonly filed: boolean;
  /** Unix milliseconds of when it was proposed first. */
  readonly at: number;
};

/** A decision on one proposal, or its being taken back. */
export type ReviewStep = { readonly verb: "accept" | "reject" | "undo"; readonly id: string };

/** What the owner wants of the review inbox. */
export type ReviewRequest =
  | { readonly verb: "list" }
  /** Several steps, each on its own, in this order. */
  | { readonly verb: "each"; readonly steps: readonly ReviewStep[] }
  /** `archive`: an ID of a note, or the name of a file, whose done trees are to be proposed for their archive. */
  | { readonly verb: "show" | "accept" | "reject" | "undo" | "archive"; readonly id: string };

/** The request of a verb and an id; null where they are none. */
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

/** The request of words: without a verb they list, and an id alone shows. Several ids are several steps. */
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

/** Whether a request decides on proposals, each decision a turn of its own. */
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
