import { randomUUID } from "node:crypto";
import { readWholeFile } from "../../../act/files/contents.ts";
import { findArchives } from "../../../act/tools/notes/archive-notes.ts";
import { changeNotes } from "../../../act/tools/notes/change-notes.ts";
import { openSetupFilesOfAny } from "../../../memory/notes/folder/setup-files.ts";
import { findDoneTrees } from "../../../memory/notes/garden/done-trees.ts";
import { programNotes } from "../../../signal/program-files.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import { idOfKey } from "../review/keep-proposals.ts";
import type { NewProposal, ProposeOutcome } from "../review/new-proposal.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";
import { type GardenJobParts, labelOfNote } from "./garden-job.ts";

const proposer = "archivist";
/** The most files in one round. */
const mostFiles = 50;

/** Proposes to archive the trees that have been done since a day, `YYYY-MM-DD`. Each file is one change. Returns the outcome of each proposal. */
export async function proposeDoneTrees(
  parts: GardenJobParts,
  review: ReviewInbox,
  { until, why }: { readonly until: string; readonly why: string },
): Promise<readonly ProposeOutcome[]> {
  const { notes } = parts;
  const found = (await findDoneTrees(notes.place, until)).filter(({ file }) => !programNotes.has(file));
  const proposals: NewProposal[] = [];
  const byKey = new Map(found.map((one) => [keyOf(notes.pathOf(one.file), one.entries), one]));
  const wanted = await review.notRefused(proposer, [...byKey.keys()]);
  for (const { file, entries } of wanted.slice(0, mostFiles).flatMap((key) => byKey.get(key) ?? [])) {
    const made = await archiving(parts, notes.pathOf(file), entries, why);
    if (typeof made !== "string") proposals.push(made);
  }
  return review.propose(proposer, proposals);
}

/** Proposes to archive an entry, by its ID, or all done trees of a file, by its path in the notes. Returns the ID of the proposal for the owner to accept. */
export async function proposeArchiving(
  parts: GardenJobParts,
  review: ReviewInbox,
  what: string,
): Promise<CommandReply> {
  const { notes, clock } = parts;
  await notes.ready();
  const node = await notes.index.resolveId(what);
  const isFile = node === null || node.level === 0;
  const file = node?.file ?? what;
  if (programNotes.has(file))
    return {
      code: "not-done",
      text: `Passepartout itself keeps ${file}, and changes it. Archive it in Emacs.`,
    };
  const today = new Date(clock() + 86_400_000).toISOString().slice(0, 10);
  const entries = isFile
    ? (await findDoneTrees(notes.place, today))
        .filter((one) => one.file === file)
        .flatMap((one) => one.entries)
    : [what];
  if (entries.length === 0)
    return {
      code: "not-done",
      text: `There is no entry with the ID ${what}, and no note of that name with a done tree.`,
    };
  const made = await archiving(parts, notes.pathOf(file), entries, "You asked for it.");
  if (typeof made === "string") return { code: "not-done", text: made };
  const id = idOfKey(proposer, made.key ?? "");
  const kept = await parts.state.proposals.get(id);
  // The owner asks again, so an earlier no does not count.
  if (kept?.state === "rejected") await parts.state.proposals.decide(id, "withdrawn", null);
  const [outcome = "unfit"] = await review.propose(proposer, [made]);
  if (outcome === "unfit" || outcome === "secret" || outcome === "full")
    return {
      code: "not-done",
      text:
        outcome === "full"
          ? "Too many archive proposals are waiting. passepartout review lists them."
          : "Passepartout archives no text that is or was encrypted, or that contains a key. Archive it in Emacs.",
    };
  return {
    code: "archiving-proposed",
    text: `Proposed as ${id}. passepartout review accept ${id} makes it.`,
    data: { id },
  };
}

function keyOf(path: string, entries: readonly string[]): string {
  return JSON.stringify(["archive", path, ...entries]);
}

/** A proposal of the change of a file and its archives, or the reason why there is none. */
async function archiving(
  parts: GardenJobParts,
  path: string,
  entries: readonly string[],
  why: string,
): Promise<NewProposal | string> {
  const { policy, clock } = parts;
  const { notesPlace, config, folders } = policy;
  const read = await readWholeFile(path);
  if (!read.ok) return read.message;
  if (read.value === null) return `There is no file ${path}.`;
  const before = read.value.bytes;
  const change = {
    path,
    at: clock(),
    newId: randomUUID,
    home: folders.home,
    seen: null,
    settings: { variables: config.org, readSetup: openSetupFilesOfAny(path, notesPlace).read },
    operations: entries.map((at) => [{ op: "archive", at } as const]),
  };
  const found = await findArchives(change);
  const archives = new Map([...found].map(([name, { bytes }]) => [name, bytes]));
  const changed = changeNotes(before, { ...change, archives });
  if (!changed.ok) return changed.message;
  const files = [...changed.value.archives].flatMap(([name, after]) => {
    const archive = found.get(name);
    if (archive === undefined) return [];
    return [{ path: archive.path, before: archive.bytes.length === 0 ? null : archive.bytes, after }];
  });
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    key: keyOf(path, entries),
    title: `Archive ${entries.length === 1 ? "a done tree" : `${entries.length} done trees`} of ${name}`,
    why,
    source: `[[file:${path}]]`,
    label: await labelOfNote(parts, path),
    change: { kind: "files", files: [...files, { path, before, after: changed.value.bytes }] },
  };
}
