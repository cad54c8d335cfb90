import type { Agent } from "../../daemon/agent/agent.ts";
import { sessionsSpec } from "../table/talking.ts";
import { exitCodes, type Io } from "./io.ts";
import { parseVerb } from "./options.ts";
import { withAgent } from "./with-agent.ts";

type SessionCommand = Parameters<Agent["runCommand"]>[0];

/** Lists, shows, names, forks and deletes sessions, in the agent that runs or in one of this process. */
export async function sessionsCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, sessionsSpec);
  const command = commandOf(verb, words);
  return withAgent(io, "cli", async (agent) => {
    const reply = await agent.runCommand(command, "");
    if (reply.kind === "turn") return exitCodes.failed;
    const isDone = reply.kind === "said" && reply.code !== "not-done";
    if (values.json && isDone) io.out(jsonLines(reply.data ?? { code: reply.code }));
    else (isDone ? io.out : io.err)(`${reply.text}\n`);
    return isDone ? exitCodes.done : exitCodes.failed;
  });
}

function jsonLines(data: unknown): string {
  return (Array.isArray(data) ? data : [data]).map((one) => `${JSON.stringify(one)}\n`).join("");
}

type Verb = (typeof sessionsSpec.verbs)[number]["name"];

function commandOf(verb: Verb, [id = "", ...words]: readonly string[]): SessionCommand {
  switch (verb) {
    case "list":
      return { kind: "sessions" };
    case "show":
      return { kind: "history", id, limit: null };
    case "rename":
      return { kind: "rename-session", id, name: words.join(" ") };
    case "fork":
      return { kind: "fork-session", id };
    case "delete":
      return { kind: "delete-session", id };
  }
}
