import type { Agent } from "../daemon/agent/resources/agent.ts";
import type { Io } from "../kernel/io.ts";
import { exitCodes } from "./io.ts";
import { Screen } from "./screen.ts";
import { withAgent } from "./with-agent.ts";

/**
 * Runs a command of the owner in the agent that runs or in one of this process, and prints its reply: the
 * text, or its data as lines of JSON. `takeBack`
 * takes back what was prepared for a command that is refused, and says what it did.
 */
export function runOnAgent(
  io: Io,
  command: Parameters<Agent["runCommand"]>[0],
  json: boolean,
  takeBack: () => string = () => "",
): Promise<number> {
  const work = async (agent: Agent): Promise<number> => {
    const reply = await agent.runCommand(command, "");
    if (reply.kind === "turn") return exitCodes.failed;
    const isDone = reply.kind === "said" && reply.code !== "not-done";
    if (json && isDone) io.out(jsonLines(reply.data ?? { code: reply.code }));
    else if (isDone) new Screen(io).program(reply.text, "out");
    else new Screen(io).program([reply.text, takeBack()].filter((line) => line !== "").join("\n"), "err");
    return isDone ? exitCodes.done : exitCodes.failed;
  };
  const runsJob = command.kind === "jobs" && command.request.verb === "run";
  return withAgent(io, "cli", work, { isLookup: !runsJob });
}

function jsonLines(data: unknown): string {
  return (Array.isArray(data) ? data : [data]).map((one) => `${JSON.stringify(one)}\n`).join("");
}
