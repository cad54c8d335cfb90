import { StateProblem } from "../memory/storage/state-problem.ts";
import { wait } from "../reason/providers/wait.ts";
import { loadPolicy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import type { Agent } from "./agent/agent.ts";
import { connectToDaemon } from "./remote/connect-to-daemon.ts";

/** Reaches the agent: the daemon of this user where one runs, else the agent in this process, which then serves other commands of this user over its socket. */
export async function openAgent(start: StartContext, source: "cli" | "tui" = "cli"): Promise<Agent> {
  const policy = loadPolicy(start.environment);
  for (let tries = 0; ; tries += 1) {
    const reached = await connectToDaemon(start, policy, source);
    if (reached !== null) return reached;
    try {
      // A command that found a daemon does not load what serves.
      const { openServedAgent } = await import("./serve.ts");
      return await openServedAgent(start, policy);
    } catch (error) {
      const busy = error instanceof StateProblem && error.code === "locked";
      if (!busy || tries === triesAtLock) throw error;
      await wait(pauseAtLock, new AbortController().signal);
    }
  }
}

/** Milliseconds between two tries: the process that holds the state opens its socket within a moment. */
const pauseAtLock = 100;
const triesAtLock = 20;
