import { join } from "node:path";
import type { State } from "../../../memory/state/state.ts";
import type { Policy } from "../../../settings/policy.ts";
import { isInside } from "../../../text/is-inside.ts";
import { type FolderOrders, type FolderOrdersParts, openFolderOrders } from "../../commands/folder-orders.ts";
import { makeFolderTrust } from "../../commands/folder-trust.ts";
import { skillsPlace } from "../../commands/project-skills.ts";

/** Opens the orders of folders on a state. */
export function openOrders(
  {
    state,
    policy,
  }: {
    readonly state: Pick<State, "folderOrders" | "trustedCopies" | "offeredOrders" | "trustedFolders">;
    readonly policy: Pick<Policy, "folders" | "isSecretPath" | "filter">;
  },
  labelOf: FolderOrdersParts["labelOf"],
): FolderOrders {
  const { folders, isSecretPath, filter } = policy;
  return openFolderOrders({
    kept: state.folderOrders,
    copies: state.trustedCopies,
    offered: state.offeredOrders,
    trust: makeFolderTrust(state.trustedFolders),
    isClosed: (path) => isSecretPath(path) || folders.own.some((own) => isInside(own, path)),
    labelOf,
    ownSkills: join(folders.home, skillsPlace),
    knownDigests: new Map(),
    filter,
  });
}
