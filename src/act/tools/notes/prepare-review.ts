import { sha256 } from "../../../machine/digest.ts";
import type { ChangeMemory } from "../../../signal/effect.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import {
  type KeptProposal,
  type ProposalState,
  type ProposedEdit,
  reviewFileName,
} from "../../../signal/review.ts";
import type { Caller, Outcome, Preparation } from "../../../signal/tool.ts";
import { success } from "../../../signal/tool.ts";
import { readWholeFile } from "../../files/contents.ts";
import { done, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../../files/file-ports.ts";
import { prepareBoth } from "../../files/prepare-both.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { resolveTypedPath } from "../../files/typed-path.ts";
import { styleOf } from "../../review/entry.ts";
import { fileProposals, isBlank, readStandings } from "../../review/inbox.ts";
import { type ConflictPorts, conflictOf, versionsOf } from "./proposed-versions.ts";

/** What a turn was begun for, as its signal says; `at` is when. */
export type ReviewTask = {
  readonly verb: "file" | "accept" | "reject";
  readonly ids: readonly string[];
  readonly at: number;
};

/** The ports of review: files, the proposals, and what a turn was begun for. */
export type ReviewPorts = FilePorts &
  ConflictPorts & {
    /** Null for a turn that is about something else. */
    readonly taskOf: (turn: string) => Promise<ReviewTask | null>;
    /** A proposal, open where its change was taken back. */
    readonly proposal: (id: string) => Promise<KeptProposal | null>;
    readonly decide: (id: string, state: ProposalState, turn: string | null) => Promise<void>;
    /** All that waits for the owner. */
    readonly waiting: () => Promise<readonly KeptProposal[]>;
    readonly markFiled: (ids: readonly string[]) => Promise<void>;
    /** The tags that mark a text as private, and what Emacs's variables set. */
    readonly orgConfig: Parameters<typeof styleOf>[1];
  };

type Ready = Extract<Preparation, { readonly ok: true }>;
type ReviewArguments = Pick<ReviewTask, "verb" | "ids">;
/** `inbox`: the real path of the file. */
type ReviewCall = { readonly ports: ReviewPorts; readonly caller: Caller; readonly inbox: string };

/** Prepares the task that the turn was started for, and nothing else: only the owner accepts or rejects, and no text can do it for them. */
export async function prepareReview(
  { verb, ids }: ReviewArguments,
  { ports, caller }: Omit<ReviewCall, "inbox">,
): Promise<Preparation> {
  const { notes, home } = ports.folders;
  const inbox = await resolveTypedPath(`${notes}/${reviewFileName}`, { workspace: null, home });
  if (!inbox.ok) return inbox;
  const call: ReviewCall = { ports, caller, inbox: inbox.value };
  const task = await ports.taskOf(caller.turn);
  if (task === null || task.verb !== verb || task.ids.join() !== ids.join())
    return problem("not-asked", "review: only the owner's own /review accept or /review reject does this.");
  const proposals: KeptProposal[] = [];
  for (const id of ids) {
    const proposal = await call.ports.proposal(plainId(id));
    if (proposal !== null) proposals.push(proposal);
  }
  if (task.verb === "file") return prepareInbox(proposals, task, call);
  const [proposal] = proposals;
  if (proposal === undefined) return problem("not-found", unknownProposal(ids.join()));
  if (proposal.state !== "open" && proposal.turn !== call.caller.turn)
    return problem("decided", `${proposal.id} is ${proposal.state} already. Nothing was done.`);
  return task.verb === "reject"
    ? withDecision(
        await prepareInbox([{ ...proposal, state: "rejected" }], task, call),
        proposal,
        "rejected",
        call,
      )
    : prepareAcceptance(proposal, task, call);
}

/** An ID without its revision. */
function plainId(id: string): string {
  return id.split("@").at(0) ?? "";
}

/** The message for an unknown ID. */
export function unknownProposal(id: string): string {
  return `There is no proposal ${id}. passepartout review lists them. Only what Passepartout itself proposed can be accepted, whatever stands in ${reviewFileName}.`;
}

async function prepareAcceptance(
  proposal: KeptProposal,
  task: ReviewTask,
  call: ReviewCall,
): Promise<Preparation> {
  const { ports } = call;
  const { id, revision } = proposal;
  if (revision !== undefined && task.ids.join() !== `${id}@${revision}`)
    return problem(
      "replaced",
      `Another proposal took the place of ${id} after it was first shown, so nothing was done. passepartout review show ${id} shows the waiting one and the command that accepts it.`,
    );
  const style = styleOf(ports.folders.notes, ports.orgConfig);
  const inbox = await readWholeFile(call.inbox);
  if (!inbox.ok) return inbox;
  const standing = readStandings(inbox.value?.bytes ?? null, style)(proposal);
  if (standing === "gone")
    return problem(
      "entry-gone",
      `${reviewFileName} has no entry ${proposal.id} any more, which counts as a no. Nothing was done.`,
    );
  if (standing === "edited")
    return problem(
      "entry-edited",
      `The diff of ${proposal.id} in ${reviewFileName} is not the one that was proposed, so nothing was done. passepartout review show ${proposal.id} shows the one that was. Make your own change in the file itself, and reject this one.`,
    );
  const { change } = proposal;
  const files = change.kind === "files" ? change.files : [];
  if (change.kind === "files" && change.job !== undefined)
    return prepareJob(proposal, { task, call, job: change.job, files });
  let all: Ready | null = null;
  for (const file of files) {
    const prepared = await prepareEdit(file, { proposal, files, call });
    if (!prepared.ok) return prepared;
    all = all === null ? prepared : prepareBoth(all, prepared, ports);
  }
  const entry = await prepareInbox([{ ...proposal, state: "accepted" }], task, call);
  const both = all === null ? entry : prepareBoth(all, entry, ports);
  return withDecision(both, proposal, "accepted", call);
}

type ChangedJob = {
  readonly task: ReviewTask;
  readonly call: ReviewCall;
  readonly job: string;
  readonly files: readonly ProposedEdit[];
};

/** Prepares the change of a job. No action writes its file: the program brings the job in line with the decision and with its undoing. */
async function prepareJob(
  proposal: KeptProposal,
  { task, call, job, files }: ChangedJob,
): Promise<Preparation> {
  for (const file of files) {
    const made = await versionsOf(file);
    if (!made.ok) return made;
  }
  const entry = await prepareInbox([{ ...proposal, state: "accepted" }], task, call);
  const effect: ChangeMemory = {
    kind: "change-memory",
    target: `job ${job}`,
    realm: "own",
    operation: `change the job ${job} as ${proposal.id} proposes`,
    label: proposal.label,
    reversal: "undoable",
  };
  return withDecision({ ...entry, effects: [...entry.effects, effect] }, proposal, "accepted", call);
}

type Edited = {
  readonly proposal: KeptProposal;
  readonly files: readonly ProposedEdit[];
  readonly call: ReviewCall;
};

/** Prepares the change of one file. It is refused unless the file has the contents that the diff was made for. */
async function prepareEdit(file: ProposedEdit, { proposal, files, call }: Edited): Promise<Preparation> {
  const { ports, caller } = call;
  const { path, before } = file;
  const changed = problem(
    "changed-since-proposed",
    `${path} changed since ${proposal.id} was proposed, so nothing was done. What still needs a change is proposed anew.`,
  );
  const other = files.length === 2 ? files.find((one) => one !== file) : undefined;
  const moved = other === undefined ? null : await versionsOf(other);
  if (moved !== null && !moved.ok) return moved;
  const place = await labelOfPath(path, caller.workspace, ports);
  const located = await resolveTypedPath(path, { workspace: null, home: ports.folders.home });
  if (!located.ok) return located;
  if (located.value !== path) return changed;
  const made = await versionsOf(file);
  if (!made.ok) return conflictOf(file, { proposal, ports }, made);
  const prepared = await prepareChange(
    {
      path,
      written: path,
      shownAs: path,
      session: caller.session,
      label: proposal.label,
      brought: proposal.label,
      onlyOnDisk: true,
      readsContents: true,
      ...(moved === null ? {} : { movedFrom: moved.value }),
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(place, digest, ports, bytes), proposal.label),
      change: (current) =>
        (current === null ? null : sha256(current)) === before ? done(made.value.after) : changed,
    },
    ports,
  );
  const [change] = prepared.changes;
  if (change !== undefined && change.after === file.after) return prepared;
  return problem(
    "changed-by-disarming",
    `The diff of ${proposal.id} has what Emacs would run, so it is not made. Make the change in ${path} yourself.`,
  );
}

/** Prepares the entries of the inbox. Their words keep the labels of their sources, and are never the owner's own. */
async function prepareInbox(
  proposals: readonly KeptProposal[],
  { at }: ReviewTask,
  { ports, caller, inbox: path }: ReviewCall,
): Promise<Ready> {
  const place = await labelOfPath(path, caller.workspace, ports);
  const read = await readWholeFile(path);
  // All waiting entries go into a lost file: a missing entry would count as a no.
  const isLost = read.ok && isBlank(read.value?.bytes ?? null);
  const ids = new Set(proposals.map(({ id }) => id));
  const others = isLost ? (await ports.waiting()).filter(({ id }) => !ids.has(id)) : [];
  const filed = [...others, ...proposals].map((proposal) => ({ proposal, at }));
  const label: Label = joinAll([
    { ...bottomLabel, integrity: "agent" },
    ...filed.map(({ proposal }) => proposal.label),
  ]);
  const style = styleOf(ports.folders.notes, ports.orgConfig);
  return prepareChange(
    {
      path,
      written: path,
      shownAs: reviewFileName,
      session: caller.session,
      label,
      // An entry that is in no file counts as a no.
      onlyOnDisk: true,
      readsContents: false,
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(place, digest, ports, bytes), label),
      change: (current) => done(fileProposals(current, filed, style)),
      also: {
        effects: [],
        plan: proposals.map(({ id, state }) => ({ id, state })),
        after: () => ports.markFiled(proposals.map(({ id }) => id)),
      },
    },
    ports,
  );
}

/** Records the decision before the change. If the change fails, the proposal is open again. */
function withDecision(
  prepared: Ready,
  { id, change }: KeptProposal,
  state: "accepted" | "rejected",
  { ports, caller }: ReviewCall,
): Ready {
  return {
    ...prepared,
    async run(cancel): Promise<Outcome> {
      await ports.decide(id, state, caller.turn);
      const outcome = await prepared.run(cancel);
      if (outcome.status === "error") await ports.decide(id, "open", null);
      await ports.markFiled([id]);
      if (outcome.status === "error") return outcome;
      const names = change.kind === "files" ? change.files.map(({ path }) => path).join(", ") : "";
      const text =
        state === "rejected"
          ? `Rejected ${id}. It is not proposed again.`
          : `Accepted ${id}${names === "" ? "" : `, and changed ${names}`}. passepartout review undo ${id} takes it back.`;
      return success({ text });
    },
  };
}
