import { existsSync } from "node:fs";
import { readWholeFile } from "../../act/files/contents.ts";
import type { EntryStanding } from "../../act/review/inbox.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { type KeptProposal, reviewFileName } from "../../signal/review.ts";

/** What looking at the inbox needs. */
export type InboxLookParts = {
  readonly state: Pick<State, "proposals">;
  readonly policy: Pick<Policy, "folders" | "config">;
};

/** The file of the inbox as it is now. */
export type InboxLook = {
  /** Why the file cannot be read; null where it can, or where there is none. */
  readonly problem: string | null;
  /** Whether the file is missing or empty while its folder is there, so that all that waits has to be written again. */
  readonly isLost: boolean;
  readonly standing: (proposal: KeptProposal) => EntryStanding;
};

/** Looks at the file, and notes which entries the owner took out of it, which counts as a no, and which they put back. A file that is not there or not whole says nothing. */
export async function lookAtInbox({ state, policy }: InboxLookParts): Promise<InboxLook> {
  const { proposals } = state;
  const kept = (await proposals.list(["open", "rejected"])).filter(mayBeTakenOut);
  const { folders, config } = policy;
  const read = await readWholeFile(`${folders.notes}/${reviewFileName}`);
  if (!read.ok) return { problem: read.message, isLost: false, standing: () => "unknown" };
  const { isBlank, readStandings } = await import("../../act/review/inbox.ts");
  const { styleOf } = await import("../../act/review/entry.ts");
  const bytes = read.value?.bytes ?? null;
  const standing = readStandings(bytes, styleOf(folders.notes, config.privacyTags[0] ?? null));
  for (const one of kept) {
    const standsAs = standing(one);
    if (one.state === "open" && standsAs === "gone") await proposals.takeOut(one.id);
    if (one.state === "rejected" && standsAs !== "gone" && standsAs !== "unknown")
      await proposals.putBack(one.id);
  }
  return { problem: null, isLost: isBlank(bytes) && existsSync(folders.notes), standing };
}

/** What the file shows, and what was taken out of it: no turn of the owner's decided that. */
function mayBeTakenOut({ state, turn, filed }: KeptProposal): boolean {
  return filed && (state === "open" || turn === null);
}
