import type { Action } from "../signal/action.ts";
import { shorten } from "../text/cut-text.ts";
import { escapeInvisible, quoteLines } from "../text/escape-invisible.ts";
import { isJsonObject, type JsonObject } from "../text/json.ts";

/** The arguments of a tool call; the payload itself for any other action. */
function argumentsOf({ payload }: Action): JsonObject {
  const { args } = payload;
  return args !== undefined && isJsonObject(args) ? args : payload;
}

/** The action with some arguments set anew. */
export function withArguments(action: Action, set: JsonObject): Action {
  const { payload } = action;
  const args = { ...argumentsOf(action), ...set };
  const { args: given } = payload;
  return { ...action, payload: given !== undefined && isJsonObject(given) ? { ...payload, args } : args };
}

/** The command line of a call of the shell; null for any other action. */
export function commandOf(action: Action): string | null {
  const { cmd } = argumentsOf(action);
  return typeof cmd === "string" ? cmd : null;
}

/** The path that an action names; null where it names none. */
export function pathOf(action: Action): string | null {
  const { path } = argumentsOf(action);
  return typeof path === "string" ? path : null;
}

/** Characters of a command in the name of an act. */
const longestCommand = 80;

/** An action in a few words: the command that it runs, or its tool and the path that it is about. */
export function nameAct(action: Action): string {
  const { tool } = action.payload;
  const path = pathOf(action);
  const words =
    commandOf(action) ??
    `${typeof tool === "string" ? tool : action.target}${path === null ? "" : ` ${path}`}`;
  return escapeInvisible(shorten(words.trim(), longestCommand));
}

/** The change that an action would make in a file, as the lines of a diff that stand behind a margin; null for an action that changes no text. */
export function formatFileChange(action: Action): readonly string[] | null {
  const { path, old, new: replacement, content, ...rest } = argumentsOf(action);
  if (typeof path !== "string" || Object.keys(rest).some((key) => key !== "explanation")) return null;
  if (typeof old === "string" && typeof replacement === "string" && content === undefined) {
    const added = replacement === "" ? [] : quoteLines(replacement, "+ ");
    return [...quoteLines(old, "- "), ...added];
  }
  if (typeof content !== "string" || old !== undefined || replacement !== undefined) return null;
  return content === "" ? ["    (an empty file)"] : quoteLines(content, "+ ");
}
