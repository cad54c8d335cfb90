import { formatMoney } from "../signal/spending.ts";
import { formatTokens } from "../text/format-time.ts";
import { isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import { formatTime } from "./calls/call.ts";

/** What the status bar says beside the folder: provider and model, notes, context, rules, money of today. What is 0 or not known is left out. */
export function factsOf(data: Json): readonly string[] {
  if (!isJsonObject(data)) return [];
  const { provider, model } = data;
  const notes = numberIn(data, "notes-shown");
  const window = numberIn(data, "context-window");
  const today = numberIn(data, "today-microdollars");
  const rules = numberIn(data, "rules");
  return [
    typeof provider === "string"
      ? `${provider}${typeof model === "string" ? `/${nameOfModel(model)}` : ""}`
      : "no model",
    ...(notes === 0 ? [] : [`${count(notes, "note")} in focus`]),
    ...(window === 0 ? [] : [`${formatTokens(numberIn(data, "context-used"))} of ${formatTokens(window)}`]),
    ...(today === 0 ? [] : [`today ${formatMoney(today)}`]),
    ...(rules === 0 ? [] : [count(rules, "rule")]),
  ];
}

/** The name of a model without the folder and the ending of its file, where a server calls it by that. */
function nameOfModel(model: string): string {
  const isPath = /^(?:[/~.\\]|[a-z]:[\\/])|\.gguf$/i.test(model);
  return isPath ? (model.split(/[/\\]/).at(-1) ?? model).replace(/\.gguf$/i, "") : model;
}

/** What keeps the agent from working as it should; null where the daemon knows nothing of that. */
export function problemOf(data: Json): string | null {
  const problem = isJsonObject(data) ? data["problem"] : null;
  return typeof problem === "string" && problem !== "" ? problem : null;
}

/** The line below an answer: the note in focus, the notes near it, and what the turn took. Null where no model was asked. */
export function focusLine(data: Json, milliseconds: number): string | null {
  if (!isJsonObject(data)) return null;
  const tokens = numberIn(data, "turn-input-tokens") + numberIn(data, "turn-output-tokens");
  if (tokens === 0) return null;
  const title = data["focus-title"];
  const notes = numberIn(data, "notes-shown");
  const cost = numberIn(data, "turn-microdollars");
  return [
    ...(typeof title === "string" ? [`focus: ${title}`] : []),
    ...(notes === 0 ? [] : [`${count(notes, "note")} near`]),
    [
      `${formatTokens(tokens)} tokens`,
      ...(milliseconds === 0 ? [] : [formatTime(milliseconds)]),
      cost === 0 ? "free" : formatMoney(cost),
    ].join(", "),
  ].join(" · ");
}

function numberIn(data: JsonObject, key: string): number {
  const value = data[key];
  return typeof value === "number" ? value : 0;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
