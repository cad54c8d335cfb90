import { isJsonObject, type JsonObject } from "./json.ts";
import { parseJson } from "./parse-json.ts";

/** A call of a tool, as one line that the agent understands without a model: `call TOOL {"argument": "value"}`. */
export type CallLine = { readonly tool: string; readonly args: JsonObject };

/** Calls that a text has at most. */
export const mostCallLines = 20;
const form = /^call[ \t]+([A-Za-z][\w.-]{0,99})[ \t]+(\{.*\})$/;

/** The calls of a text whose lines are all such calls, in their order; null for any other text. */
export function readCallLines(text: string): readonly CallLine[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const calls = lines.map((line) => readCallLine(line.trim())).filter((call) => call !== null);
  return lines.length > 0 && lines.length <= mostCallLines && calls.length === lines.length ? calls : null;
}

/** Calls as such lines. */
export function printCallLines(calls: readonly CallLine[]): string {
  return calls.map(({ tool, args }) => `call ${tool} ${JSON.stringify(args)}`).join("\n");
}

function readCallLine(line: string): CallLine | null {
  const [, tool = "", json = ""] = form.exec(line) ?? [];
  if (tool === "") return null;
  const args = parseJson(json);
  return isJsonObject(args) ? { tool, args } : null;
}
