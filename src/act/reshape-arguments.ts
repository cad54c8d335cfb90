import { foldName } from "../text/fold-name.ts";
import { isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import { greatest } from "../text/lists.ts";
import { familiarArgument } from "./familiar-names.ts";

/** Says in a tool's own arguments what other agents say by arguments that it does not have. What cannot be said stays, and the tool refuses it by name. */
export function reshapeArguments(tool: string, args: JsonObject, workspace: string | null): JsonObject {
  const reshape = reshapes.get(tool);
  return reshape === undefined ? args : reshape(args, workspace);
}

type Reshape = (args: JsonObject, workspace: string | null) => JsonObject;

const reshapes: ReadonlyMap<string, Reshape> = new Map<string, Reshape>([
  ["read-file", reshapeRead],
  ["edit-file", reshapeEdit],
  ["list-files", reshapeList],
  ["search-files", reshapeSearch],
  ["shell", reshapeShell],
]);

/** A range or a last line becomes a limit; some count lines from 0. */
function reshapeRead({ range, end, ...args }: JsonObject): JsonObject {
  const ends: readonly (Json | undefined)[] = Array.isArray(range) ? range : [args["offset"] ?? 1, end];
  const [first, last] = ends;
  if (range === undefined && end === undefined) return args["offset"] === 0 ? { ...args, offset: 1 } : args;
  if (typeof first !== "number" || typeof last !== "number" || first < 1)
    return { ...args, ...kept({ range, end }) };
  return last < first ? { ...args, offset: first } : { ...args, offset: first, limit: last - first + 1 };
}

/** The edits of a list have other names, too. More than one expected replacement means all. */
function reshapeEdit({ count, edits, ...args }: JsonObject): JsonObject {
  const several =
    Array.isArray(edits) && edits.every(isJsonObject)
      ? edits.map((edit) =>
          reshapeEdit(
            Object.fromEntries(
              Object.entries(edit).map(([key, value]) => [
                ["old", "new", "all"].includes(key)
                  ? key
                  : (familiarArgument("edit-file", foldName(key)) ?? key),
                value,
              ]),
            ),
          ),
        )
      : edits;
  const listed = several === undefined ? args : { ...args, edits: several };
  if (count === undefined || count === 1) return listed;
  return typeof count === "number" && count > 1 ? { ...listed, all: true } : { ...listed, count };
}

function reshapeList({ recursive, ...args }: JsonObject): JsonObject {
  if (recursive === undefined) return args;
  if (typeof recursive !== "boolean") return { ...args, recursive };
  return args["depth"] !== undefined ? args : { ...args, depth: recursive ? manyLevels : 1 };
}

const manyLevels = 100;

/** A pattern without capitals is found in any case; one with capitals says so itself. Lines before and after are the same number. */
function reshapeSearch({ anyCase, caseCounts, isRegex, after, before, ...given }: JsonObject): JsonObject {
  const around = [given["context"], after, before].filter((lines) => typeof lines === "number");
  const args = around.length === 0 ? given : { ...given, context: greatest(around) };
  const { pattern } = args;
  const literal = isRegex === false ? true : args["literal"];
  const ignores = anyCase === true || (caseCounts === false && anyCase !== false);
  const whole = literal === undefined ? args : { ...args, literal };
  if (!ignores || typeof pattern !== "string" || !/\p{Lu}/u.test(pattern)) return whole;
  return { ...whole, pattern: literal === true ? pattern.toLowerCase() : `(?i)${pattern}` };
}

/** Words become a line. Another folder than the workspace becomes a `cd` before it. */
function reshapeShell({ folder, background, ...args }: JsonObject, workspace: string | null): JsonObject {
  const { cmd } = args;
  const line = Array.isArray(cmd) && cmd.every((word) => typeof word === "string") ? lineOf(cmd) : cmd;
  const isHere = folder === undefined || folder === "." || folder === workspace;
  const there = isHere || typeof folder !== "string" ? "" : `cd ${quoted(folder)} && `;
  return {
    ...args,
    ...(line === undefined ? {} : { cmd: typeof line === "string" ? there + line : line }),
    ...(isHere || there !== "" ? {} : kept({ folder })),
    ...(background === false ? {} : kept({ background })),
  };
}

/** `["bash", "-lc", LINE]` is its line. */
function lineOf(words: readonly string[]): string {
  const [shell = "", flag = "", line] = words;
  if (
    words.length === 3 &&
    line !== undefined &&
    /^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh$/.test(shell) &&
    /^-l?c$/.test(flag)
  )
    return line;
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The arguments that are given, under the names that stand in the refusal. */
function kept(args: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(args).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
