import type { Agent } from "../daemon/agent/resources/agent.ts";
import type { Screen } from "./screen.ts";

/** Shows the answers of a session that no client has seen yet, and marks them as delivered. */
export async function showUndeliveredAnswers(
  agent: Agent,
  session: string,
  { screen, output }: { readonly screen: Screen; readonly output: "out" | "err" },
): Promise<void> {
  for (const { turn, state, text } of await agent.undelivered(session)) {
    if (state === "answered") screen.earlier(text, output);
    else screen.line(`(earlier) ${state}: ${text}`, output);
    await agent.markDelivered(turn);
  }
}
