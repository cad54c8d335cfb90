import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { takeWorkspace } from "../../daemon/agent/resources/take-workspace.ts";
import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { findUserFolders } from "../../settings/user-folders.ts";
import { isJsonObject, type Json } from "../../text/json.ts";
import { escapeForTerminal, oneLine } from "../../text/visible.ts";
import { judgeSpec } from "./command-specs.ts";
import { type JudgedAction, openOfflineJudge } from "./open-offline-judge.ts";

/** Judges each action of standard input and prints a line for each. Runs nothing, and looks up no host and no program. Exit code 2 if a line is not an action. */
export async function judgeCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, judgeSpec);
  const start = { environment: io.environment, cwd: io.cwd, version: io.version };
  const report = (problem: string): void => io.err(`passepartout: ${escapeForTerminal(problem)}\n`);
  await using judging = await openOfflineJudge(start, workspaceOf(io, values.workspace), report);
  const plain = io.outIsTerminal && !values.json;
  let malformed = 0;
  let number = 0;
  for await (const line of createInterface({ input: io.input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === "") continue;
    const action = readAction(line);
    if (action === null) malformed += 1;
    const judged =
      action === null
        ? {
            verdict: "block",
            reason: `Line ${number} is not an action as JSON. Input that cannot be parsed is blocked.`,
            effects: [],
            trace: [],
          }
        : await judging.judge(action);
    io.out(
      plain
        ? `${judged.verdict.padEnd(5)} ${line.trim()}  ${[judged.reason, ...objectionsBeside(judged)].join("; ")}\n`
        : `${JSON.stringify(judged)}\n`,
    );
  }
  if (malformed > 0)
    io.err(
      `passepartout: ${usageError(`Lines that are not actions, and count as blocked: ${malformed}.`, judgeSpec).message}\n`,
    );
  return malformed > 0 ? exitCodes.usage : exitCodes.done;
}

/** The objections of skills that the reason does not tell, because another gate objects as well. */
function objectionsBeside({
  reason,
  objections = [],
}: Pick<JudgedAction, "reason" | "objections">): readonly string[] {
  return objections
    .map((one) => `${oneLine(one.reason)} (the gate ${oneLine(one.gate)} of the skill ${oneLine(one.skill)})`)
    .filter((words) => !reason.includes(words));
}

/** The folder that counts as the workspace: the given folder, which need not exist, else this folder. The home folder and what holds it count as none: the agent takes neither by itself. */
function workspaceOf(io: Io, given: string | undefined): string | null {
  if (given !== undefined) return resolve(io.cwd, given);
  const { home } = findUserFolders(io.environment);
  return takeWorkspace(io.cwd, existsSync(home) ? realpathSync(home) : home);
}

type ProposedAction = {
  readonly target: string;
  readonly payload: { readonly [key: string]: Json };
  readonly explanation: string;
};

/** Reads an action in its long form `{target, payload, explanation}`, in a tool's form `{tool, args}` with or without an explanation, or in the short form, whose only key is `shell` or a tool's name. */
function readAction(line: string): ProposedAction | null {
  const value = parse(line);
  if (!isJsonObject(value)) return null;
  const { target, payload, explanation, tool, args } = value;
  if (typeof target === "string" && isJsonObject(payload)) {
    if (Object.keys(value).some((key) => key !== "target" && key !== "payload" && key !== "explanation"))
      return null;
    if (explanation !== undefined && typeof explanation !== "string") return null;
    return { target, payload, explanation: explanation ?? "" };
  }
  const fallback = "asked on the command line";
  if (typeof tool === "string" && isJsonObject(args)) {
    if (Object.keys(value).some((key) => key !== "tool" && key !== "args" && key !== "explanation"))
      return null;
    if (explanation !== undefined && typeof explanation !== "string") return null;
    const reason = explanation ?? fallback;
    if (tool === "shell") return { explanation: reason, target: "shell", payload: args };
    return { explanation: reason, target: "tool", payload: { tool, args } };
  }
  const [key, ...more] = Object.keys(value);
  if (key === undefined || more.length > 0) return null;
  const argument = value[key];
  if (key === "shell" && typeof argument === "string")
    return { explanation: fallback, target: "shell", payload: { cmd: argument } };
  if (isJsonObject(argument))
    return { explanation: fallback, target: "tool", payload: { tool: key, args: argument } };
  const only = onlyArgument.get(key);
  if (only === undefined || typeof argument !== "string") return null;
  return { explanation: fallback, target: "tool", payload: { tool: key, args: { [only]: argument } } };
}

/** For each tool with a short form, the argument that its text is. */
const onlyArgument: ReadonlyMap<string, string> = new Map([
  ["read-file", "path"],
  ["list-files", "path"],
  ["search-files", "pattern"],
  ["eval", "code"],
  ["fetch-url", "url"],
  ["remember", "text"],
  ["recall", "query"],
]);

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
