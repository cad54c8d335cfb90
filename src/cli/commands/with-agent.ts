import type { Agent } from "../../daemon/agent/agent.ts";
import { openAgent } from "../../daemon/open-agent.ts";
import type { Io } from "./io.ts";
import { makeStartContext } from "./start-context.ts";

/** Does a command's work with the agent, and serves other commands that joined until the last has left; Ctrl-C and SIGTERM end that. */
export async function withAgent(
  io: Io,
  source: "cli" | "tui",
  work: (daemon: Agent) => Promise<number>,
): Promise<number> {
  await using daemon = await openAgent(makeStartContext(io), source);
  const code = await work(daemon);
  const off = io.onInterrupt((signal) => {
    daemon
      .drain(signal === "SIGTERM" ? 5000 : 0)
      .catch((error: unknown) => io.err(`Leaving failed: ${String(error)}\n`));
  });
  try {
    await daemon[Symbol.asyncDispose]();
    return code;
  } finally {
    off();
  }
}
