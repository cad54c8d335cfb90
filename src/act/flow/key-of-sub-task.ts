import { createHash } from "node:crypto";

/** The key of a sub-task of a call, the same where the call is prepared again, also after a crash. */
export function keyOfSubTask(turn: string, call: string, index: number): string {
  return createHash("sha256")
    .update(JSON.stringify([turn, call, index]))
    .digest("hex")
    .slice(0, 16);
}
