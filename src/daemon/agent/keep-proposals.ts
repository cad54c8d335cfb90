import { digestBytes, readWholeFile } from "../../act/files/contents.ts";
import { styleOf } from "../../act/review/entry.ts";
import { type EntryStanding, standingOf } from "../../act/review/inbox.ts";
import { applyDiff } from "../../signal/apply-diff.ts";
import { wholeDiff } from "../../signal/file-diff.ts";
import {
  type KeptProposal,
  type Proposal,
  type ProposedChange,
  type ProposedEdit,
  reviewFileName,
} from "../../signal/review.ts";
import { currentProposal } from "../commands/current-proposal.ts";
import type { NewProposal, ProposeOutcome, ReviewInboxParts } from "./new-proposal.ts";

/** Open proposals of one proposer. */
const mostOpen = 50;
/** Characters of all diffs of a proposal. */
const longestDiff = 200_000;

/** Keeps what is new of proposals under the name of a job or skill. Gives what became of each, in order. */
export async function keepProposals(
  parts: ReviewInboxParts,
  by: string,
  given: readonly NewProposal[],
): Promise<readonly ProposeOutcome[]> {
  const { state } = parts;
  const standing = await readInbox(parts);
  let open = (await openProposals(parts, by)).length;
  const outcomes: ProposeOutcome[] = [];
  for (const one of given) {
    const made = makeProposal(parts, by, one);
    if (made === null) {
      outcomes.push("unfit");
      continue;
    }
    const kept = await state.proposals.get(made.id);
    const known = kept === null ? null : await currentProposal(state, kept);
    const outcome = await outcomeOf(parts, made, { known, standing, isFull: open >= mostOpen });
    if (outcome === "proposed") {
      const { proposal } = made;
      const revision = digestBytes(JSON.stringify(proposal.change)).slice(0, 6);
      await state.proposals.keep(made.id, known?.state === "open" ? { ...proposal, revision } : proposal);
      if (known?.state !== "open") open += 1;
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** The proposals of one proposer that wait for the owner. */
export async function openProposals(
  { state }: ReviewInboxParts,
  by: string,
): Promise<readonly KeptProposal[]> {
  const kept = (await state.proposals.list(["open", "accepted"])).filter((one) => one.by === by);
  const current = await Promise.all(kept.map((one) => currentProposal(state, one)));
  return current.filter((one) => one.state === "open");
}

/** The id of a proposal: the same for the same key. */
export function idOfKey(by: string, about: string): string {
  return `review-${digestBytes(JSON.stringify([by, about])).slice(0, 10)}`;
}

/** The same for the same change, wherever its lines stand now. */
function keyOf({ title, source, change }: NewProposal): string {
  if (change.kind === "none") return JSON.stringify([title, source, change.next]);
  return JSON.stringify(
    change.files.map(({ path, before, after }) => {
      const rows = (wholeDiff(before, after) ?? "").split("\n");
      return [path, ...rows.filter((row) => /^[+-]/.test(row))];
    }),
  );
}

type Made = { readonly id: string; readonly proposal: Proposal };

/** Null where it cannot be shown and applied as text, or has secret text. */
function makeProposal({ policy }: ReviewInboxParts, by: string, given: NewProposal): Made | null {
  const { title, why, source, label } = given;
  const change = changeOf(given.change);
  if (change === null || label.secrecy === "secret") return null;
  const proposal: Proposal = { by, title, why, source, label, change };
  const diffs = change.kind === "files" ? change.files.map(({ diff }) => diff) : [change.next];
  const text = [title, why, source, ...diffs].join("\n");
  if (text.length > longestDiff || policy.scan(text).length > 0) return null;
  return { id: idOfKey(by, given.key ?? keyOf(given)), proposal };
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
      before: before === null ? null : digestBytes(before),
      after: digestBytes(after),
      diff,
    });
  }
  return { kind: "files", files };
}

/** Whether a proposal is new. An open one whose entry the owner removed counts as rejected. */
async function outcomeOf(
  { state }: ReviewInboxParts,
  { id, proposal }: Made,
  {
    known,
    standing,
    isFull,
  }: {
    readonly known: KeptProposal | null;
    readonly standing: (proposal: KeptProposal) => EntryStanding;
    readonly isFull: boolean;
  },
): Promise<ProposeOutcome> {
  if (known?.state === "rejected") return "rejected";
  if (known?.state === "accepted" && proposal.change.kind === "none") return "known";
  if (known?.state !== "open") return isFull ? "full" : "proposed";
  if (known.filed && standing(known) === "gone") {
    await state.proposals.decide(id, "rejected", null);
    return "rejected";
  }
  return JSON.stringify(known.change) === JSON.stringify(proposal.change) ? "known" : "proposed";
}

/** How entries stand in the file. */
async function readInbox({ policy }: ReviewInboxParts): Promise<(proposal: KeptProposal) => EntryStanding> {
  const { notes } = policy.folders;
  const read = await readWholeFile(`${notes}/${reviewFileName}`);
  // Where it cannot be read, nothing counts as removed.
  if (!read.ok) return () => "shown";
  const style = styleOf(notes, policy.config.privacyTags[0] ?? null);
  return (proposal) => standingOf(read.value?.bytes ?? null, proposal, style);
}
