import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { parseVerb } from "../../program/options.ts";
import { runOnAgent } from "../../program/run-on-agent.ts";
import { sessionsSpec } from "./command-specs.ts";

type SessionCommand = Parameters<Agent["runCommand"]>[0];

/** Lists, shows, names, forks and deletes sessions, in the agent that runs or in one of this process. */
export async function sessionsCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, sessionsSpec);
  const command = commandOf(verb, words);
  return runOnAgent(io, command, values.json);
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
