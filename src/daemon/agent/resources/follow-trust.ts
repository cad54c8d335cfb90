import { identifyFolder, identifyFolderForSure, isUnsure } from "../../../act/files/identify.ts";
import type { State } from "../../../memory/state/state.ts";
import { lastingIdentity } from "../../../memory/storage/lasting-identity.ts";
import type { AppendToJournal } from "../../../turn/step-ports.ts";
import type { FolderOrders } from "../../commands/folder-orders.ts";
import type { Untold } from "./untold.ts";

/** What following the trust in a folder needs. */
export type FollowTrustParts = {
  readonly state: Pick<State, "trustedFolders">;
  readonly orders: Pick<FolderOrders, "move">;
  readonly journal: AppendToJournal;
  readonly untold: Pick<Untold, "add">;
};

/**
 * Takes the owner's trust along where a trusted folder was renamed or moved: the folder at `place` has the
 * device, inode and birth of the one that was trusted, and that is no longer at its path. A copy, and a
 * folder that is still at its old path too, has to be trusted anew. It is told and journalled, and so is the
 * end of a trust that was bound to no birth and no disk.
 */
export async function followTrust(
  { state: { trustedFolders }, orders, journal, untold }: FollowTrustParts,
  place: string,
): Promise<void> {
  const identity = await identifyFolder(place);
  if (identity === null) return;
  await endUnsure({ trustedFolders, journal, untold }, place);
  // Without a time of birth an inode that was given to another folder would pass for the same one.
  if ((await lastingIdentity(place)) === null) return;
  const known = await trustedFolders.withIdentity(identity);
  if (known.includes(place)) return;
  for (const from of known) {
    if ((await identifyFolder(from)) === identity) continue;
    await journal({ kind: "note", detail: { event: "folder-trust-moved", from, folder: place } });
    await trustedFolders.move(from, place);
    await orders.move(from, place);
    await untold.add([
      `You trusted this folder when it was ${from}. It is the same folder, so its files count as your own words here, too. /trust-folder off takes that back.`,
    ]);
    return;
  }
}

/** Ends a trust that counts no more since a folder of another disk would have it too. So it is told once. */
async function endUnsure(
  {
    trustedFolders,
    journal,
    untold,
  }: Pick<FollowTrustParts, "journal" | "untold"> & FollowTrustParts["state"],
  place: string,
): Promise<void> {
  const trusted = await trustedFolders.identityOf(place);
  if (trusted === null || !isUnsure(trusted)) return;
  const next =
    (await identifyFolderForSure(place)) === null
      ? "It cannot be trusted where it is: copy it to a disk of this computer, and say /trust-folder there."
      : "/trust-folder trusts it anew.";
  await journal({ kind: "note", detail: { event: "folder-not-trusted", folder: place } });
  await trustedFolders.distrust(place);
  await untold.add([
    `Your trust in ${place} has ended: its file system did not say when the folder was made, so another disk at that place would have been trusted, too. ${next}`,
  ]);
}
