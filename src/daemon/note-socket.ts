import { noteHeldSocket } from "../memory/storage/held-socket.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import type { Policy } from "../settings/policy.ts";
import { socketPathOf } from "../settings/socket-path.ts";

/** Notes where this process listens, for clients that would look elsewhere. */
export function noteSocket(policy: Policy, listens: boolean, report: (message: string) => void): void {
  try {
    noteHeldSocket(policy.config.places.state, listens ? socketPathOf(policy) : null);
  } catch (error) {
    if (!(error instanceof StateProblem)) throw error;
    report(`Commands with another XDG_RUNTIME_DIR cannot connect: ${error.message}`);
  }
}
