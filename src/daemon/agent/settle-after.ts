import type { RunOtherCommand } from "../../turn/run-loop-command.ts";

/** Commands that may take back what made a job a reflex. */
const takingBack: ReadonlySet<string> = new Set(["undo", "redo", "rewind", "rollback", "review"]);

/** Commands of the owner, after which jobs are in line with what was taken back. */
export function settleAfter(command: RunOtherCommand, settle: () => Promise<void>): RunOtherCommand {
  return async (given, signal) => {
    const reply = await command(given, signal);
    if (takingBack.has(given.kind)) await settle();
    return reply;
  };
}
