import { relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { isSystemFault } from "../files/fallible.ts";
import { holdBeneath, LeadsElsewhere } from "../files/open-beneath.ts";
import { giveAttributes } from "../sandbox/extended-attributes.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import type { Difference } from "./difference.ts";

/**
 * Gives what a difference holds beside its exchanges, once these were made: lists of access and attributes to
 * folders that stay, and permissions by which files that came are closed to their owner. No undo takes that
 * back. Gives what could not be given, in words.
 */
export async function giveUnheld(
  { exchanges, unheld }: Pick<Difference, "exchanges" | "unheld">,
  overlay: Pick<Overlay, "folder" | "upper" | "closed">,
  made: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = [];
  // The innermost first: behind a closed folder nothing can be given.
  for (const [path, gets] of [...unheld].toSorted(([one], [other]) => (one < other ? 1 : -1))) {
    const mode = overlay.closed.get(path);
    const comes = exchanges.some((exchange) => isInside(exchange.path, path));
    const isThere = !comes || made.some((each) => isInside(each, path));
    const upper = `${overlay.upper}${path.slice(overlay.folder.length)}`;
    const isGiven =
      isThere &&
      (comes && mode !== undefined
        ? await close(overlay.folder, { path, mode })
        : (await giveAttributes(upper, path)) === true);
    if (!isGiven) left.push(`It was not kept that ${path} ${gets}.`);
  }
  return left;
}

/** Closes what came to its owner; false where something else is there by now. */
async function close(
  folder: string,
  { path, mode }: { readonly path: string; readonly mode: number },
): Promise<boolean> {
  try {
    await using entry = await holdBeneath(folder, relative(folder, path));
    if (!entry.status.isFile() && !entry.status.isDirectory()) return false;
    // No file is kept that runs with the rights of its owner or group.
    await entry.chmod(entry.status.isFile() ? mode & 0o1777 : mode);
    return true;
  } catch (fault) {
    if (!isSystemFault(fault) && !(fault instanceof LeadsElsewhere)) throw fault;
    return false;
  }
}
