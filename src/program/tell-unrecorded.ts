import { makeJournalPort } from "../daemon/agent/resources/journal-port.ts";
import { makePolicyRecorder } from "../daemon/commands/record-policy.ts";
import { connectToDaemon } from "../daemon/remote/connect-to-daemon.ts";
import { openStateForWriting } from "../daemon/serve.ts";
import type { Io } from "../kernel/io.ts";
import { loadPolicy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import { describeError } from "../text/describe-error.ts";
import { escapeForTerminal } from "../text/visible.ts";
import { makeStartContext } from "./start-context.ts";

/** Journals a change that a command made in what is allowed, and tells the person where that failed. */
export async function tellUnrecorded(io: Io): Promise<void> {
  const problem = await recordPolicyChange(makeStartContext(io));
  if (problem !== null) io.err(escapeForTerminal(`${problem}\n`));
}

/**
 * Journals a change that a command made in what is allowed: through the daemon where one runs, else in the
 * state itself. Gives why it could not, in words; the next agent that runs journals it then.
 */
async function recordPolicyChange(start: StartContext): Promise<string | null> {
  const policy = loadPolicy(start.environment);
  try {
    await using daemon = await connectToDaemon(start, policy, "cli");
    if (daemon !== null) {
      await daemon.recordPolicy();
      return null;
    }
    await using state = await openStateForWriting(policy);
    await makePolicyRecorder({ state, policy, journal: makeJournalPort(state) })();
    return null;
  } catch (error) {
    return `This is done, but not in the journal yet: ${describeError(error)} The next start of the agent records it.`;
  }
}
