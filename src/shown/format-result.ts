import { inBuffer, isMadeInBuffer } from "../signal/editor-buffer.ts";
import type { ToolResult } from "../signal/tool.ts";
import { formatFound } from "../text/format-found.ts";
import { isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import { underHome } from "../text/under-home.ts";

/** Stands for a list without entries. */
export const nothingFound = "(nothing found)";

/**
 * A result as text for a person: its content; `ERROR [tool]: message`; or `TOOL [tool] RESULT: …` if the
 * content has no readable form. `home` stands as `~` in the name of a file that was written.
 */
export function formatResult({ tool, outcome }: ToolResult, home = ""): string {
  if (outcome.status === "error") return `ERROR [${tool}]: ${outcome.message}`;
  return readable(outcome.content, home) ?? `TOOL [${tool}] RESULT: ${JSON.stringify(outcome.content)}`;
}

/** The readable form of what a tool gave; null where it has none. */
export function readable(content: Json, home = ""): string | null {
  if (typeof content === "string") return content === "" ? null : content;
  if (Array.isArray(content)) return linesOf(content);
  if (!isJsonObject(content)) return null;
  if (typeof content["stdout"] === "string") return commandOutput(content);
  const { value } = content;
  if (value !== undefined) return evaluated(value, content["logs"]);
  const { path, created, bytes, text, note, leftOut, ...rest } = content;
  if (typeof path === "string" && typeof created === "boolean" && typeof bytes === "number") {
    const more = typeof note === "string" && note !== "" ? ` ${note}` : "";
    const where = isMadeInBuffer(content) ? ` ${inBuffer}` : "";
    return `${created ? "Created" : "Changed"} ${underHome(path, home)} (${bytes} bytes)${where}. /undo takes it back.${more}`;
  }
  const list = Object.values(rest).find((value) => Array.isArray(value));
  const main = typeof text === "string" && text !== "" ? text.trimEnd() : (list ?? null);
  if (main === null) return typeof note === "string" && note !== "" ? note : null;
  const left = Array.isArray(leftOut) ? leftOut.map((item: Json) => `(left out: ${plain(item)})`) : [];
  const notes = typeof note === "string" && note !== "" ? [`(${note})`] : [];
  return [typeof main === "string" ? main : linesOf(main), ...notes, ...left].join("\n");
}

function evaluated(value: Json, logs: Json | undefined): string {
  const printed = Array.isArray(logs) ? logs.map(plain) : [];
  return [...printed, typeof value === "string" ? value : JSON.stringify(value)].join("\n");
}

function linesOf(items: readonly Json[]): string {
  return items.length === 0 ? nothingFound : items.map(plain).join("\n");
}

/** A match as grep prints it, with its path and line; something found in memory as `memory search` prints it; anything else as text. */
function plain(item: Json): string {
  if (typeof item === "string") return item;
  if (!isJsonObject(item)) return JSON.stringify(item);
  const { id, title, file, match } = item;
  if (typeof id === "string" && typeof title === "string" && typeof match === "string") {
    return formatFound({ id, title, file: typeof file === "string" ? file : null, match });
  }
  const { path, line, text } = item;
  const place = typeof path === "string" ? `${path}:${typeof line === "number" ? `${line}:` : ""} ` : "";
  return typeof text === "string" ? place + text : JSON.stringify(item);
}

/** What a command printed, and what is said of it; its `advice` is for a model. */
function commandOutput({ stdout, stderr, exitCode, advice: _, ...rest }: JsonObject): string {
  const parts = [stdout, stderr].flatMap((text) =>
    typeof text === "string" && text !== "" ? [text.trimEnd()] : [],
  );
  if (typeof exitCode === "number" && exitCode !== 0) parts.push(`(exit code ${exitCode})`);
  for (const [key, value] of Object.entries(rest)) {
    if (typeof value === "string" && value !== "") parts.push(`(${key}: ${value})`);
  }
  return parts.length === 0 ? "(no output)" : parts.join("\n");
}
