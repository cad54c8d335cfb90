import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { isInside } from "../../signal/is-inside.ts";
import { type FolderOrders, type FolderOrdersParts, openFolderOrders } from "../commands/folder-orders.ts";
import { makeFolderTrust } from "../commands/folder-trust.ts";

/** Opens the orders of folders on a state. */
export function openOrders(
  {
    state,
    policy,
  }: {
    readonly state: Pick<State, "folderOrders" | "trustedFolders">;
    readonly policy: Pick<Policy, "folders" | "isSecretPath" | "filter">;
  },
  labelOf: FolderOrdersParts["labelOf"],
): FolderOrders {
  const { folders, isSecretPath, filter } = policy;
  return openFolderOrders({
    kept: state.folderOrders,
    trust: makeFolderTrust(state.trustedFolders),
    isClosed: (path) => isSecretPath(path) || folders.own.some((own) => isInside(own, path)),
    labelOf,
    filter,
  });
}
