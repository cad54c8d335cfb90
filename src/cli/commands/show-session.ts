import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { Screen } from "../../program/screen.ts";
import { showUndeliveredAnswers } from "../../program/show-undelivered.ts";
import { formatPastStep } from "../../shown/format-outcome.ts";
import { formatGreeting, type LastExchange } from "../../shown/session-description.ts";
import { isFinal } from "../../signal/turn.ts";
import { isJsonArray, isJsonObject } from "../../text/json.ts";
import { showUntold } from "./show-untold.ts";

/** Shows a session to the person who begins or resumes it: where it works, the last exchange, and the answers that nobody saw yet. */
export async function showSession(io: Io, agent: Agent, session: string): Promise<void> {
  const screen = new Screen(io);
  const described = await agent.describeSession(session);
  const { daemonVersion: daemon, notices } = agent;
  io.out(`${formatGreeting(described, { version: io.version, daemon, folder: io.cwd })}\n`);
  for (const notice of notices) io.out(`${notice}\n`);
  await showUntold(agent, session, io.out);
  const unseen = (await agent.undelivered(session)).map(({ turn }) => turn);
  const { last } = described;
  if (last !== null) {
    const speaker = last.isJob ? "The job said" : "You said";
    screen.line(`${speaker} last: ${last.words.text}${leftOut(last.words.left)}`, "out");
    for (const line of await pastCalls(agent, session, last.turn)) screen.line(line, "out");
    if (!unseen.includes(last.turn)) showEnd(screen, last);
  }
  await showUndeliveredAnswers(agent, session, { screen, output: "out" });
}

/**
 * Turns among which the last that was said is looked for: jobs and words that were taken back come after
 * it.
 */
const searchedTurns = 5;

/** What was done in the last turn, in lines. */
async function pastCalls(agent: Agent, session: string, turn: string): Promise<readonly string[]> {
  const reply = await agent.runCommand({ kind: "history", id: null, limit: searchedTurns }, session);
  const turns = reply.kind === "said" && isJsonArray(reply.data) ? reply.data : [];
  const last = turns.filter(isJsonObject).find(({ id }) => id === turn);
  if (last === undefined) return [];
  const { steps } = last;
  return isJsonArray(steps) ? steps.flatMap(formatPastStep) : [];
}

/** How a turn ended. An answer that is shown in full below is not shown here. */
function showEnd(screen: Screen, { state, answer }: LastExchange): void {
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
