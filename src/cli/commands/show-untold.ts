import type { Agent } from "../../daemon/agent/resources/agent.ts";

/** Shows what became of work that a process was killed in, once, in whatever session the owner is. */
export async function showUntold(agent: Agent, session: string, show: (line: string) => void): Promise<void> {
  const untold = await agent.untold(session);
  for (const text of untold) show(`${text}\n`);
  if (untold.length > 0) await agent.markTold();
}
