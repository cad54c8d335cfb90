import type { Agent } from "../daemon/agent/resources/agent.ts";
import type { Io } from "../kernel/io.ts";
import { nearestSize } from "../text/terminal-size.ts";

/** Tells the agent the size of this terminal, now and at each change, for programs of the session that run on one. The result ends that. */
export function tellSizeOf({ terminal }: Io, agent: Agent, session: string): () => void {
  const tell = (): void => {
    const size = terminal?.size() ?? null;
    if (size !== null) agent.tellSize(session, nearestSize(size));
  };
  tell();
  return terminal?.onResize(tell) ?? (() => undefined);
}
