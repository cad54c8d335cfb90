import type { Agent } from "../../daemon/agent/agent.ts";

/** Shows the answers of a session that no client has seen yet, and marks them as delivered. */
export async function showUndeliveredAnswers(
  agent: Agent,
  session: string,
  show: (text: string) => void,
): Promise<void> {
  for (const { turn, state, text } of await agent.undelivered(session)) {
    show(`(earlier) ${state === "answered" ? "" : `${state}: `}${text}\n`);
    await agent.markDelivered(turn);
  }
}
