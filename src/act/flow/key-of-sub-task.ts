import { sha256 } from "../../machine/digest.ts";

/** The key of a sub-task of a call, the same where the call is prepared again, also after a crash. */
export function keyOfSubTask(turn: string, call: string, index: number): string {
  return sha256(JSON.stringify([turn, call, index])).slice(0, 16);
}
