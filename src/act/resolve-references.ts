import type { Action } from "../signal/action.ts";
import type { Caller } from "../signal/tool.ts";
import { isJsonObject } from "../text/json.ts";
import { resolveReferences, standsInAny } from "./flow/references.ts";
import { resolveWords } from "./flow/referred-words.ts";

/** An action with values in the place of its references, and which arguments had one: `to is @1.from of read-mail`. */
type ReferredAction =
  | { readonly ok: true; readonly action: Action; readonly references: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Resolves the references among the words of a command line, once the proposal has this agent's own names. */
export function resolveLineOf(action: Action, { sources, known }: Caller): ReferredAction {
  const { args, tool } = action.payload;
  const isCall = tool === "shell" && isJsonObject(args);
  const given = isCall ? args : action.payload;
  const cmd = isCall || action.target.toLowerCase() === "shell" ? given["cmd"] : null;
  if (sources === undefined || typeof cmd !== "string" || !cmd.includes("@"))
    return { ok: true, action, references: [] };
  const values = [...known.values()].map(({ value }) => value);
  const resolved = resolveWords(cmd, {
    results: sources.results,
    isKnownText: (text) => standsInAny(text, values),
  });
  if (!resolved.ok) return resolved;
  const references = resolved.references.map(({ name, tool: from }) => `cmd has ${name} of ${from}`);
  const line = { ...given, cmd: resolved.line };
  const payload = isCall ? { ...action.payload, args: line } : line;
  return { ok: true, action: { ...action, payload }, references };
}

/** Resolves the references of a proposal before anything else is done with it: what is judged, asked about and run is the value. */
export function resolveReferencesOf(action: Action, { sources, known }: Caller): ReferredAction {
  if (sources === undefined) return { ok: true, action, references: [] };
  const { args } = action.payload;
  const isCall = isJsonObject(args);
  const values = [...known.values()].map(({ value }) => value);
  const resolved = resolveReferences(isCall ? args : action.payload, {
    results: sources.results,
    isKnownText: (text) => standsInAny(text, values),
  });
  if (!resolved.ok) return resolved;
  const references = resolved.references.map(
    ({ argument, name, tool }) => `${argument.slice(1).replaceAll("/", ".")} is ${name} of ${tool}`,
  );
  const payload = isCall ? { ...action.payload, args: resolved.args } : resolved.args;
  return { ok: true, action: { ...action, payload }, references };
}
