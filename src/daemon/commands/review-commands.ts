import type { EntryStanding } from "../../act/review/inbox.ts";
import type { State } from "../../memory/state/state.ts";
import { type KeptProposal, proposalData, type ReviewRequest, reviewFileName } from "../../signal/review.ts";
import { escapeInvisible, quoteLines } from "../../text/escape-invisible.ts";
import { runUndo } from "./begun-undo.ts";
import type { CommandReply } from "./command-reply.ts";
import { currentProposal, openOnes } from "./current-proposal.ts";
import { lookAtInbox } from "./look-at-inbox.ts";
import { takeBack } from "./undo-commands.ts";
import type { CommandOrigin, UndoParts } from "./undo-request.ts";

/** The parts that the review commands need. */
export type ReviewCommandParts = UndoParts & {
  readonly state: Pick<State, "proposals">;
  /** Proposes to archive an entry or the done trees of a file. */
  readonly proposeArchiving: (what: string) => Promise<CommandReply>;
};

/** The most entries in a list. */
const mostShown = 50;

/** Runs a review command. Accepting and rejecting are turns of their own. */
export async function runReviewCommand(
  parts: ReviewCommandParts,
  request: ReviewRequest,
  by: CommandOrigin,
): Promise<CommandReply> {
  switch (request.verb) {
    case "list":
      return listProposals(parts);
    case "show":
      return showProposal(parts, request.id);
    case "undo":
      return undoDecision(parts, request.id, by);
    case "archive":
      return parts.proposeArchiving(request.id);
    case "accept":
    case "reject":
    case "each":
      return {
        code: "not-done",
        text: "Proposals are accepted and rejected in a conversation (/review accept ID) or by passepartout review accept ID.",
      };
  }
}

async function listProposals(parts: ReviewCommandParts): Promise<CommandReply> {
  const { state } = parts;
  const look = await lookAtInbox(parts);
  const open = await openOnes(state);
  const listed = open.map((proposal) => ({ proposal, standing: look.standing(proposal) }));
  const shown = listed.slice(0, mostShown).map(({ proposal, standing }) => {
    const files = proposal.change.kind === "files" ? proposal.change.files.length : 0;
    const does = files === 0 ? "" : ` · changes ${files === 1 ? nameOf(parts, proposal) : `${files} files`}`;
    return escapeInvisible(`${proposal.id}  ${proposal.title} (${proposal.by}${does})${noteOf(standing)}`);
  });
  const more = listed.length - shown.length;
  const text =
    listed.length === 0
      ? "Nothing is proposed. While the daemon runs, jobs such as the gardener propose changes here: passepartout jobs lists them."
      : [
          ...shown,
          ...(more > 0 ? [`… and ${more} more in ${reviewFileName}`] : []),
          ...(look.problem === null ? [] : [`${reviewFileName} cannot be read: ${look.problem}`]),
          ...(look.isLost
            ? [`${reviewFileName} is missing or empty. All of this is written to it again.`]
            : []),
          "passepartout review show ID shows one; accept ID makes its change, reject ID drops it.",
        ].join("\n");
  return {
    code: "proposals",
    text,
    data: listed.map(({ proposal, standing }) => dataOf(proposal, standing)),
  };
}

const notes: Readonly<Record<EntryStanding, string>> = {
  shown: "",
  edited: " · its diff in the file was edited, and that one is not applied",
  closed: ` · marked as done in ${reviewFileName}, which applied nothing`,
  gone: "",
  unknown: "",
};

function noteOf(standing: EntryStanding): string {
  return notes[standing];
}

function nameOf({ policy }: ReviewCommandParts, { change }: KeptProposal): string {
  const [file] = change.kind === "files" ? change.files : [];
  const { notes: folder } = policy.folders;
  if (file === undefined) return "";
  return file.path.startsWith(`${folder}/`) ? file.path.slice(folder.length + 1) : file.path;
}

function dataOf(proposal: KeptProposal, standing: EntryStanding) {
  return proposalData(proposal, standing === "gone" && proposal.filed ? "removed" : proposal.state);
}

async function showProposal(parts: ReviewCommandParts, id: string): Promise<CommandReply> {
  const kept = await parts.state.proposals.get(id);
  if (kept === null) return noProposal(id);
  const { standing: standingOf } = await lookAtInbox(parts);
  const proposal = await currentProposal(parts.state, (await parts.state.proposals.get(id)) ?? kept);
  const standing = standingOf(proposal);
  const { title, why, source, by, label, change, state, revision } = proposal;
  const shown = revision === undefined ? id : `${id}@${revision}`;
  const files = change.kind === "files" ? change.files : [];
  const mark = label.integrity === "untrusted" ? " · made from content of others" : "";
  const lines = [
    escapeInvisible(title),
    escapeInvisible(`${id} · ${state} · by ${by}${mark}`) + noteOf(standing),
    ...quoteLines(why),
    ...(source === "" ? [] : [`From: ${escapeInvisible(source)}`]),
    ...files.flatMap(({ path, diff }) => [
      escapeInvisible(path),
      ...diff.split("\n").flatMap((row) => quoteLines(row)),
    ]),
    ...(change.kind === "none" && change.next !== "" ? quoteLines(change.next) : []),
    ...(state === "open"
      ? [
          `passepartout review accept ${shown} ${files.length === 0 ? "notes that it is done" : "makes this change"}; reject ${id} drops it.`,
        ]
      : []),
    ...(proposal.turn !== null ? [`passepartout review undo ${id} takes that back.`] : []),
  ];
  return { code: "proposal", text: lines.join("\n"), data: dataOf(proposal, standing) };
}

async function undoDecision(parts: ReviewCommandParts, id: string, by: CommandOrigin): Promise<CommandReply> {
  await lookAtInbox(parts);
  const kept = await parts.state.proposals.get(id);
  if (kept === null) return noProposal(id);
  const { state, turn } = await currentProposal(parts.state, kept);
  if (state === "rejected" && turn === null)
    return {
      code: "not-done",
      text: `You removed ${id} from ${reviewFileName}. To reopen it, put its entry back.`,
    };
  if (turn === null) return { code: "not-done", text: `${id} is ${state}, so there is nothing to undo.` };
  const { changes } = parts.state;
  const find = async () => {
    const standing = (await changes.ofTurn(turn)).filter((change) => !change.undone);
    return standing.length === 0 ? null : { turns: [turn], changes: standing };
  };
  return runUndo(parts, "undo", by, async (run) => {
    const undone = await takeBack(parts, by, { command: "undo", run, find });
    return undone ?? { code: "not-done", text: `There is nothing of ${id} to undo.` };
  });
}

function noProposal(id: string): CommandReply {
  return { code: "not-done", text: `There is no proposal ${id}. List them with: passepartout review` };
}
