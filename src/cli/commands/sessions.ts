import type { Agent } from "../../daemon/agent/agent.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { withAgent } from "./with-agent.ts";

const usage = `passepartout sessions [list] | show ID | rename ID NAME | fork ID | delete ID   [--json]
Your conversations. ID is what the list shows, or a session's name.
  list    lists them, the last used first, with what they cost and what waits in them
  show    prints what was said in one
  rename  gives one a name: passepartout --session NAME goes on with it
  fork    begins a new one with the past of another; files stay as they are
  delete  deletes one with all that was said in it, for good; files stay as they are
  --json  prints JSON: a list has a line for each session; times are Unix milliseconds, money is millionths of a dollar
Exit codes: 0 done, 1 there is no such session, or nothing was done, 2 wrong usage.`;

type SessionCommand = Parameters<Agent["runCommand"]>[0];

/** Lists, shows, names, forks and deletes sessions, in the agent that runs or in one of this process. */
export async function sessionsCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const command = readCommand(positionals);
  if (typeof command === "string") throw usageError(command, usage);
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

/** The command that the arguments name, or what is wrong with them. */
function readCommand([verb = "list", id, ...words]: readonly string[]): SessionCommand | string {
  if (verb === "list") return id === undefined ? { kind: "sessions" } : "list takes no more words.";
  if (!["show", "rename", "fork", "delete"].includes(verb))
    return "sessions needs one of list, show, rename, fork, delete.";
  if (id === undefined) return `${verb} needs the ID of a session.`;
  if (verb === "rename")
    return words.length === 0
      ? "rename needs a NAME."
      : { kind: "rename-session", id, name: words.join(" ") };
  if (words.length > 0) return "Too many arguments.";
  if (verb === "show") return { kind: "history", id, limit: null };
  return { kind: verb === "fork" ? "fork-session" : "delete-session", id };
}
