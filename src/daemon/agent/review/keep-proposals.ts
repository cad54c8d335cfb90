import { sha256 } from "../../../machine/digest.ts";
import { wholeDiff } from "../../../signal/file-diff.ts";
import type { KeptProposal, Proposal, ProposedChange, ProposedEdit } from "../../../signal/review.ts";
import { applyDiff } from "../../../text/diff/apply-diff.ts";
import { currentProposal, currentProposals } from "../../commands/current-proposal.ts";
import { lookAtInbox } from "../../commands/look-at-inbox.ts";
import type { NewProposal, ProposeOutcome, ReviewInboxParts } from "./new-proposal.ts";

/** Characters of all diffs of a proposal. */
const longestDiff = 200_000;

/** Stores new proposals under the name of a job or skill. Returns the outcome of each, in order. */
export async function keepProposals(
  parts: ReviewInboxParts,
  by: string,
  given: readonly NewProposal[],
): Promise<readonly ProposeOutcome[]> {
  const { state } = parts;
  // An entry that the owner removed counts as rejected.
  await lookAtInbox(parts);
  let open = (await openProposals(parts, by)).length;
  const outcomes: ProposeOutcome[] = [];
  for (const one of given) {
    const made = makeProposal(parts, by, one);
    if (!made.ok) {
      outcomes.push(made.why);
      continue;
    }
    const kept = await state.proposals.get(made.id);
    const known = kept === null ? null : await currentProposal(state, kept);
    const outcome = outcomeOf(made.proposal, known, open >= parts.policy.config.reviewLimit);
    const proposal = known === null ? made.proposal : inPlaceOf(known, made.proposal);
    const isKept = outcome === "proposed" && (await state.proposals.keep(made.id, proposal, one.madeFrom));
    if (isKept && known?.state !== "open") open += 1;
    outcomes.push(outcome === "proposed" && !isKept ? "forgotten" : outcome);
  }
  return outcomes;
}

/** A proposal that replaces another: with the words that the file still shows, and with a revision if the owner may have seen the other. */
function inPlaceOf(known: KeptProposal, proposal: Proposal): Proposal {
  const { title, why, source, label, change } = known;
  const shown = known.filed ? undefined : known.replaced;
  const replaced = shown ?? { title, why, source, label, change };
  const revision = sha256(JSON.stringify(proposal.change)).slice(0, 6);
  return { ...proposal, replaced, ...(known.state === "open" ? { revision } : {}) };
}

/** The proposals of one proposer that wait for the owner. */
export async function openProposals(parts: ReviewInboxParts, by: string): Promise<readonly KeptProposal[]> {
  return (await proposalsOf(parts, by)).filter((one) => one.state === "open");
}

/** The proposals of one proposer in their current state: open if the decision was undone. Withdrawn ones are left out. */
export async function proposalsOf({ state }: ReviewInboxParts, by: string): Promise<readonly KeptProposal[]> {
  return (await currentProposals(state)).filter((one) => one.by === by);
}

/** The id of a proposal: the same for the same key. */
export function idOfKey(by: string, about: string): string {
  return `review-${sha256(JSON.stringify([by, about])).slice(0, 10)}`;
}

/** A key that is the same for the same change, wherever its lines are now. */
function keyOf({ title, source, change }: NewProposal): string {
  if (change.kind === "none") return JSON.stringify([title, source, change.next]);
  return JSON.stringify(
    change.files.map(({ path, before, after }) => {
      const rows = (wholeDiff(before, after) ?? "").split("\n");
      return [path, ...rows.filter((row) => /^[+-]/.test(row))];
    }),
  );
}

type Made =
  | { readonly ok: true; readonly id: string; readonly proposal: Proposal }
  | { readonly ok: false; readonly why: "secret" | "unfit" };

function makeProposal({ policy }: ReviewInboxParts, by: string, given: NewProposal): Made {
  const { title, why, source, label } = given;
  const change = changeOf(given.change);
  if (label.secrecy === "secret") return { ok: false, why: "secret" };
  if (change === null) return { ok: false, why: "unfit" };
  const proposal: Proposal = { by, title, why, source, label, change };
  const diffs = change.kind === "files" ? change.files.map(({ diff }) => diff) : [change.next];
  const text = [title, why, source, ...diffs].join("\n");
  if (text.length > longestDiff) return { ok: false, why: "unfit" };
  if (policy.scan(text).length > 0) return { ok: false, why: "secret" };
  return { ok: true, id: idOfKey(by, given.key ?? keyOf(given)), proposal };
}

function changeOf(change: NewProposal["change"]): ProposedChange | null {
  if (change.kind === "none") return change;
  const files: ProposedEdit[] = [];
  for (const { path, before, after } of change.files) {
    const diff = wholeDiff(before, after);
    if (diff === null || diff === "") return null;
    const old = new TextDecoder("utf-8", { ignoreBOM: true }).decode(before ?? new Uint8Array());
    const made = applyDiff(old, diff);
    if (made === null || Buffer.compare(Buffer.from(made), after) !== 0) return null;
    files.push({
      path,
      before: before === null ? null : sha256(before),
      after: sha256(after),
      diff,
    });
  }
  return { kind: "files", files, ...(change.job === undefined ? {} : { job: change.job }) };
}

/** Whether a proposal is new. */
function outcomeOf(proposal: Proposal, known: KeptProposal | null, isFull: boolean): ProposeOutcome {
  if (known?.state === "rejected") return "rejected";
  if (known?.state === "accepted" && proposal.change.kind === "none") return "known";
  if (known?.state !== "open") return isFull ? "full" : "proposed";
  return JSON.stringify(known.change) === JSON.stringify(proposal.change) ? "known" : "proposed";
}
