import type { Outcome } from "../../signal/tool.ts";
import { findForeign } from "../sandbox/overlay.ts";

/**
 * What programs say where the kernel cannot copy a file into an overlay, since a namespace does not know
 * its owner (EOVERFLOW).
 */
const refused = /Value too large for (?:defined )?data type|EOVERFLOW/;

/**
 * Why a command could not do over a copy of a folder what it does in the folder itself: something there
 * belongs to somebody else, and to move it the kernel would have to copy it. Null where that is not so.
 */
export async function findUncopied(outcome: Outcome, folder: string): Promise<string | null> {
  const said = outcome.status === "error" ? outcome.message : JSON.stringify(outcome.content);
  const foreign = refused.test(said) ? await findForeign(folder) : null;
  return foreign === null
    ? null
    : `${foreign} belongs to another user or group, and no copy of the folder can hold what the command does with it`;
}

/** The same of what a difference found that no exchange can give to a folder that stays. */
export function notHeld(what: string): string {
  return `${what}, which no copy of the folder can hold of a folder that stays`;
}
