import type { Agent } from "../../daemon/agent/agent.ts";
import { formatGreeting, type LastExchange } from "../../signal/session-description.ts";
import { isFinal } from "../../signal/turn.ts";
import type { Io } from "./io.ts";
import { Screen } from "./screen.ts";
import { showUndeliveredAnswers } from "./show-undelivered.ts";

/** Shows a session to the person who begins or resumes it: where it works, the last exchange, and the answers that nobody saw yet. */
export async function showSession(io: Io, agent: Agent, session: string): Promise<void> {
  const screen = new Screen(io);
  const described = await agent.describeSession(session);
  const { daemonVersion: daemon, notices } = agent;
  io.out(`${formatGreeting(described, { version: io.version, daemon, folder: io.cwd })}\n`);
  for (const notice of notices) io.out(`${notice}\n`);
  const unseen = (await agent.undelivered(session)).map(({ turn }) => turn);
  if (described.last !== null) showLast(screen, described.last, unseen.includes(described.last.turn));
  await showUndeliveredAnswers(agent, session, { screen, output: "out" });
}

/** An answer that is shown in full below is not shown here. */
function showLast(screen: Screen, { state, words, answer }: LastExchange, isUnseen: boolean): void {
  screen.line(`You said last: ${words.text}${leftOut(words.left)}`, "out");
  if (isUnseen) return;
  if (state === "suspended") screen.program("It waits for your answer.", "out");
  else if (!isFinal(state)) screen.program("It is not finished yet.", "out");
  else if (state !== "answered") screen.line(`${state}: ${answer.text}${leftOut(answer.left)}`, "out");
  else {
    screen.model(answer.text, "out");
    if (answer.left > 0) screen.program(`   ${leftOut(answer.left)}`, "out");
  }
}

function leftOut(characters: number): string {
  return characters === 0 ? "" : ` (${characters} more characters)`;
}
