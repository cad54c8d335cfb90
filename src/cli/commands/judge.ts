import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject, type Json } from "../../signal/json.ts";
import { openOfflineJudge } from "../offline/open-offline-judge.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage =
  'passepartout judge [--json] [--workspace DIR]   (one action a line, such as {"shell":"ls"}, {"read-file":"a.txt"} or {"tool":"write-file","args":{"path":"a.txt","content":"b"}})';

/** Judges each action of standard input and prints a line for each. Runs nothing, resolves no name and no program. Exit code 2 if a line was no action. */
export async function judgeCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    json: { type: "boolean", default: false },
    workspace: { type: "string" },
  });
  const [word] = positionals;
  if (word !== undefined) {
    throw new UsageError(
      `'${word}' was not expected: actions come on standard input, one a line.\nUsage: ${usage}`,
    );
  }
  const start = { environment: io.environment, cwd: io.cwd, version: io.version };
  const judging = await openOfflineJudge(start, workspaceOf(io, values.workspace));
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
            reason: `Line ${number} is not an action as JSON. Nothing that does not read is allowed.`,
            effects: [],
            trace: [],
          }
        : await judging.judge(action);
    io.out(
      plain
        ? `${judged.verdict.padEnd(5)} ${line.trim()}  ${judged.reason}\n`
        : `${JSON.stringify(judged)}\n`,
    );
  }
  if (malformed > 0)
    io.err(
      `passepartout: ${malformed} of the lines were no actions and count as blocked.\nUsage: ${usage}\n`,
    );
  return malformed > 0 ? exitCodes.usage : exitCodes.done;
}

/** The folder that is judged as the workspace: the one that is named, which need not exist; else this one, unless it is a home or the root, which the agent would not take unasked. */
function workspaceOf(io: Io, given: string | undefined): string | null {
  if (given !== undefined) return resolve(io.cwd, given);
  const home = io.environment["HOME"] ?? homedir();
  return io.cwd === "/" || io.cwd === home || (existsSync(home) && io.cwd === realpathSync(home))
    ? null
    : io.cwd;
}

type Asked = {
  readonly target: string;
  readonly payload: { readonly [key: string]: Json };
  readonly explanation: string;
};

/** Reads the long form `{target, payload, explanation}`, a tool's `{tool, args}` with or without an explanation, or the short one: the one key is `shell` or a tool's name. */
function readAction(line: string): Asked | null {
  const value = parse(line);
  if (!isJsonObject(value)) return null;
  const { target, payload, explanation, tool, args } = value;
  if (typeof target === "string" && isJsonObject(payload)) {
    if (Object.keys(value).some((key) => key !== "target" && key !== "payload" && key !== "explanation"))
      return null;
    if (explanation !== undefined && typeof explanation !== "string") return null;
    return { target, payload, explanation: explanation ?? "" };
  }
  const asked = { explanation: "asked on the command line" };
  if (typeof tool === "string" && isJsonObject(args)) {
    if (Object.keys(value).some((key) => key !== "tool" && key !== "args" && key !== "explanation"))
      return null;
    if (explanation !== undefined && typeof explanation !== "string") return null;
    const said = explanation ?? asked.explanation;
    if (tool === "shell") return { explanation: said, target: "shell", payload: args };
    return { explanation: said, target: "tool", payload: { tool, args } };
  }
  const [key, ...more] = Object.keys(value);
  if (key === undefined || more.length > 0) return null;
  const argument = value[key];
  if (key === "shell" && typeof argument === "string")
    return { ...asked, target: "shell", payload: { cmd: argument } };
  if (isJsonObject(argument)) return { ...asked, target: "tool", payload: { tool: key, args: argument } };
  const only = onlyArgument.get(key);
  if (only === undefined || typeof argument !== "string") return null;
  return { ...asked, target: "tool", payload: { tool: key, args: { [only]: argument } } };
}

/** The argument that a short action's text stands for. */
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
