import type { Agent } from "../../daemon/agent/agent.ts";

/** Shows the answers of a session that nobody saw yet, and marks them as shown. */
export async function showUndeliveredAnswers(
  daemon: Agent,
  session: string,
  show: (text: string) => void,
): Promise<void> {
  for (const { turn, state, text } of await daemon.undelivered(session)) {
    show(`(earlier) ${state === "answered" ? "" : `${state}: `}${text}\n`);
    await daemon.markDelivered(turn);
  }
}
