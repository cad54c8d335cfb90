import { identifyFolder } from "../../../act/files/identify.ts";
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
 * folder that is still at its old path too, has to be trusted anew. It is told and journalled.
 */
export async function followTrust(
  { state: { trustedFolders }, orders, journal, untold }: FollowTrustParts,
  place: string,
): Promise<void> {
  const identity = await identifyFolder(place);
  // Without a time of birth an inode that was given to another folder would pass for the same one.
  if (identity === null || (await lastingIdentity(place)) === null) return;
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
