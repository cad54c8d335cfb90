import { wait } from "../machine/wait.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { loadPolicy, type Policy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import type { AgentStart } from "./agent/local-agent.ts";
import type { Agent } from "./agent/resources/agent.ts";
import { isHandingOver } from "./handing-over.ts";
import { connectToDaemon } from "./remote/connect-to-daemon.ts";

/** Reaches the agent: the daemon of this user where one runs, else the agent in this process, which then serves other commands of this user over its socket. */
export async function openAgent(start: AgentStart, source: "cli" | "tui" = "cli"): Promise<Agent> {
  const policy = loadPolicy(start.environment);
  const reachedOrOpened = await reachOr(start, { policy, source }, async () => {
    // A command that found a daemon does not load what serves.
    const { openServedAgent } = await import("./serve.ts");
    return openServedAgent(start, policy);
  });
  return reachedOrOpened.agent;
}

/** The agent of another process, or the one that was opened in this process. */
export type ReachedOrOpened<Opened extends Agent> =
  | { readonly kind: "reached"; readonly agent: Agent }
  | { readonly kind: "opened"; readonly agent: Opened };

/** Reaches the agent of another process, or opens one here. Of two that open one at the same moment, the second reaches the first. */
export async function reachOr<Opened extends Agent>(
  start: StartContext,
  { policy, source }: { readonly policy: Policy; readonly source: "cli" | "tui" },
  open: () => Promise<Opened>,
): Promise<ReachedOrOpened<Opened>> {
  let holder = "";
  for (let tries = 0; ; tries += 1) {
    const reached = await connectOrWait(start, policy, source);
    if (reached !== null) return { kind: "reached", agent: reached };
    try {
      return { kind: "opened", agent: await open() };
    } catch (error) {
      const busy = error instanceof StateProblem && error.code === "locked";
      if (!busy || tries === triesAtLock) throw error;
      // Another holder than before, which needs its own time to begin.
      if (error.message !== holder) tries = 0;
      holder = error.message;
      await wait(pauseAtLock, new AbortController().signal);
    }
  }
}

/**
 * The agent of another process; one that hands over to an installed update is waited for. Null where none is
 * there.
 */
async function connectOrWait(
  start: StartContext,
  policy: Policy,
  source: "cli" | "tui",
): Promise<Agent | null> {
  const { state } = policy.config.places;
  for (;;) {
    const wasHandedOver = isHandingOver(state);
    const reached = await connectToDaemon(start, policy, source);
    // It may have begun to hand over while this process connected.
    if (reached !== null || !(wasHandedOver || isHandingOver(state))) return reached;
    await wait(pauseAtLock, new AbortController().signal);
  }
}

/** Milliseconds between two tries: the process that holds the state opens its socket within a moment. */
const pauseAtLock = 100;
const triesAtLock = 20;
