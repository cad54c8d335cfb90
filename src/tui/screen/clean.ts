import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { makeVisible } from "../../text/visible.ts";

/** Makes text from outside safe to lay out: no control or direction character is left but newlines; a tab is four blanks. */
export function cleanText(text: string): string {
  return makeVisible(text.replaceAll("\r\n", "\n").replaceAll("\t", "    "));
}

/** The same as one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s*\n\s*/g, " ");
}

/** A message of the daemon with every string and key in it cleaned. Nothing of a message is used before this. */
export function cleanMessage(message: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => [cleanText(key), cleanValue(value)]),
  );
}

function cleanValue(value: Json): Json {
  if (typeof value === "string") return cleanText(value);
  if (isJsonArray(value)) return value.map(cleanValue);
  return isJsonObject(value) ? cleanMessage(value) : value;
}

/** The marker by which the toolkit finds the place of the cursor in a row. */
const cursorMarker = "\u001b_pi:c\u0007";
const colour = "\u001b\\[[0-9;]*m";
const colours = new RegExp(colour, "gu");
const allowed = new RegExp(`(${colour}|${cursorMarker})`, "u");

/** A row as it may be painted: of escape sequences only colours and the mark of the cursor are left, everything else that is hidden becomes visible. */
export function guardRow(row: string): string {
  return row
    .split(allowed)
    .map((piece, index) => (index % 2 === 1 ? piece : makeVisible(piece).replaceAll(/[\n\t]/g, " ")))
    .join("");
}

/** A row without its colours. */
export function withoutColours(row: string): string {
  return row.replaceAll(colours, "");
}

const firstCharacter = new RegExp(`^((?:${colour})*).`, "u");

/** A row without its first character, with the colours before it. */
export function withoutFirst(row: string): string {
  return row.replace(firstCharacter, "$1");
}

/** What a terminal pastes, without the characters that steer a terminal. Newlines and tabs stay. */
export function cleanPaste(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/(?![\n\t])\p{Cc}/gu, "");
}
