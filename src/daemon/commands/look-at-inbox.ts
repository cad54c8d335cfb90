import { existsSync } from "node:fs";
import { readWholeFile } from "../../act/files/contents.ts";
import type { EntryStanding } from "../../act/review/inbox.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { type KeptProposal, reviewFileName } from "../../signal/review.ts";
import { currentProposals } from "./current-proposal.ts";

/** The parts that reading the inbox needs. */
export type InboxLookParts = {
  readonly state: Pick<State, "proposals" | "changes" | "turns">;
  readonly policy: Pick<Policy, "folders" | "config">;
};

/** The current state of the inbox's file. */
export type InboxLook = {
  /** The reason why the file cannot be read; null if it can be read or does not exist. */
  readonly problem: string | null;
  /** True if the file is missing or empty while its folder exists: then all waiting proposals are written again. */
  readonly isLost: boolean;
  readonly standing: (proposal: KeptProposal) => EntryStanding;
};

/** Reads the file, and records the entries that the owner removed, which counts as a no, or put back. A missing or incomplete file changes no state. */
export async function lookAtInbox(parts: InboxLookParts): Promise<InboxLook> {
  const { state, policy } = parts;
  const { folders, config } = policy;
  const read = await readWholeFile(`${folders.notes}/${reviewFileName}`);
  if (!read.ok) return { problem: read.message, isLost: false, standing: () => "unknown" };
  const { readStandings } = await import("../../act/review/inbox.ts");
  const { styleOf } = await import("../../act/review/entry.ts");
  const standing = readStandings(read.value?.bytes ?? null, styleOf(folders.notes, config));
  for (const one of (await currentProposals(state)).filter(({ filed }) => filed)) {
    const standsAs = standing(one);
    const isThere = standsAs !== "gone" && standsAs !== "unknown";
    if (one.state === "open" && standsAs === "gone") await state.proposals.takeOut(one.id);
    if (one.state === "rejected" && one.turn === null && isThere) await state.proposals.putBack(one.id);
  }
  return { problem: null, isLost: await isInboxLost(parts), standing };
}

/** True if the file is missing or empty while its folder exists. */
export async function isInboxLost({ policy }: Pick<InboxLookParts, "policy">): Promise<boolean> {
  const { notes } = policy.folders;
  const read = await readWholeFile(`${notes}/${reviewFileName}`);
  return (
    read.ok &&
    Buffer.from(read.value?.bytes ?? [])
      .toString()
      .trim() === "" &&
    existsSync(notes)
  );
}
