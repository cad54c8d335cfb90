import type { Action } from "../signal/action.ts";
import type { Tool } from "../signal/tool.ts";
import { foldName } from "../text/fold-name.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import type { NameRegistry } from "./actuators.ts";
import { familiarArgument, familiarTools } from "./familiar-names.ts";
import { type ActProblem, problem } from "./files/fallible.ts";
import { reshapeArguments } from "./reshape-arguments.ts";

/** An action with this agent's own names, and what was renamed: `Read → read-file`, `file_path → path`. */
export type NormalisedAction = {
  readonly ok: true;
  readonly action: Action;
  readonly renamed: readonly string[];
};

/**
 * Gives a proposal the names of this agent's tools and arguments where a model used another agent's, before anything is judged. Only names that can mean one thing are
 * replaced: two that mean the same and differ are refused, and what is not known is left for the tool to refuse.
 */
export function normaliseAction(
  action: Action,
  tools: NameRegistry<Tool>,
  workspace: string | null,
): NormalisedAction | ActProblem {
  const asked = askedTool(action);
  const tool = asked === null ? undefined : findTool(asked.name, tools);
  if (asked === null || tool === undefined) return { ok: true, action, renamed: [] };
  const named = nameArguments(tool, asked.args);
  if (!named.ok) return named;
  const { name } = tool;
  const args = reshapeArguments(name, named.args, workspace);
  const renamed = [
    ...(name === asked.called.toLowerCase() ? [] : [`${asked.called} → ${name}`]),
    ...named.renamed,
  ];
  if (renamed.length === 0 && canonicalJson(args) === canonicalJson(asked.args))
    return { ok: true, action, renamed };
  const payload = asked.isShell ? args : { ...action.payload, tool: name, args };
  return { ok: true, action: { ...action, payload }, renamed: renamed.map(shorten) };
}

/** The tool that an action asks for: `called` is its name in the action, `name` the one to look for. */
type AskedTool = {
  readonly called: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly isShell: boolean;
};

/** Null for an action that calls no tool. */
function askedTool({ target, payload }: Action): AskedTool | null {
  if (foldName(target) === "shell") return { called: "shell", name: "shell", args: payload, isShell: true };
  const { tool: called, args } = payload;
  if (foldName(target) !== "tool" || typeof called !== "string" || !isJsonObject(args)) return null;
  const { command, ...rest } = args;
  const meant = editors.has(foldName(called)) ? editorCommands.get(String(command)) : undefined;
  return meant === undefined
    ? { called, name: called, args, isShell: false }
    : { called, name: meant, args: rest, isShell: false };
}

/** Tools that do several things, by the argument `command`. */
const editors: ReadonlySet<string> = new Set(["strreplacebasededittool", "strreplaceeditor", "texteditor"]);
const editorCommands: ReadonlyMap<string, string> = new Map([
  ["view", "read-file"],
  ["create", "write-file"],
  ["str_replace", "edit-file"],
]);

function findTool(name: string, tools: NameRegistry<Tool>): Tool | undefined {
  const folded = foldName(name);
  const own = tools.names.find((known) => foldName(known) === folded);
  return tools.find(own ?? familiarTools.get(folded) ?? name);
}

type NamedArguments = { readonly ok: true; readonly args: JsonObject; readonly renamed: readonly string[] };

function nameArguments(tool: Tool, given: JsonObject): NamedArguments | ActProblem {
  const properties = isJsonObject(tool.parameters["properties"]) ? tool.parameters["properties"] : {};
  const own = new Map(Object.keys(properties).map((name) => [foldName(name), name]));
  const args = new Map<string, { readonly key: string; readonly value: Json }>();
  const renamed: string[] = [];
  for (const [key, item] of Object.entries(given)) {
    const name = Object.hasOwn(properties, key)
      ? key
      : (own.get(foldName(key)) ?? familiarArgument(tool.name, foldName(key)) ?? key);
    if (name !== key) renamed.push(name === "drop" ? `${key} left out` : `${key} → ${name}`);
    if (name === "drop") continue;
    const value = typed(item, properties[name]);
    const other = args.get(name);
    if (other !== undefined && canonicalJson(other.value) !== canonicalJson(value)) {
      return problem(
        "ambiguous-arguments",
        `${tool.name}: '${shorten(other.key)}' and '${shorten(key)}' both mean '${name}', and they differ. Arguments: ${Object.keys(properties).join(", ")}.`,
      );
    }
    args.set(name, { key, value });
  }
  return {
    ok: true,
    args: Object.fromEntries([...args].map(([name, { value }]) => [name, value])),
    renamed,
  };
}

/** A number or a yes that stands in quotes, for an argument that is one. */
function typed(value: Json, schema: Json | undefined): Json {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  if (typeof value !== "string") return value;
  if (type === "integer" && /^\d{1,9}$/.test(value)) return Number(value);
  if (type === "boolean" && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}

function shorten(text: string): string {
  return text.replaceAll(/\p{C}/gu, "�").slice(0, 80);
}
