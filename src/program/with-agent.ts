import type { Agent } from "../daemon/agent/resources/agent.ts";
import { openAgent } from "../daemon/open-agent.ts";
import type { Io } from "../kernel/io.ts";
import type { StartContext } from "../settings/start-context.ts";
import { describeError } from "../text/describe-error.ts";
import { makeStartContext } from "./start-context.ts";

/** Opens the agent, does a command's work with it, and then serves the other commands that connected until the last has left; Ctrl-C and SIGTERM end that. `asksHidden`: the work asks for what programs hide; `isLookup`: it asks no model. */
export async function withAgent(
  io: Io,
  source: "cli" | "tui",
  work: (agent: Agent) => Promise<number>,
  { asksHidden = false, isLookup = false }: Pick<StartContext, "asksHidden" | "isLookup"> = {},
): Promise<number> {
  await using agent = await openAgent({ ...makeStartContext(io), asksHidden, isLookup }, source);
  const code = await work(agent);
  const off = io.onInterrupt((signal) => {
    agent
      .drain(signal === "SIGTERM" ? 5000 : 0)
      .catch((error: unknown) =>
        io.err(
          `passepartout: Leaving failed (${describeError(error)}). Unfinished work is saved and continues at the next start.\n`,
        ),
      );
  });
  try {
    await agent[Symbol.asyncDispose]();
    return code;
  } finally {
    off();
  }
}
