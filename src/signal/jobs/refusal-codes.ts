import { callsUsedUp, needsOwner } from "./call-caps.ts";

/** The code of a call that did not run since another call of its answer was refused. */
export const notRun = "not-run";
/** The code of a call that its owner said no to. */
export const deniedByOwner = "denied-by-owner";

/** The code of a call that was not made since the folder of its conversation is gone. */
export const folderGone = "folder-gone";

/** Codes of calls that were refused: the refusal is no result of the act. */
export const refusalCodes: ReadonlySet<string> = new Set(["blocked", deniedByOwner, needsOwner, callsUsedUp]);

/** Codes of calls that could not be judged, or not what they changed in their trial: none of it is kept. */
const notJudged: ReadonlySet<string> = new Set(["prepare-failed", "secrets-untracked", "too-large"]);

/** Whether the code of an error alone says that nothing was done. */
export function saysNothingWasDone(code: string): boolean {
  return refusalCodes.has(code) || code === notRun || notJudged.has(code);
}
