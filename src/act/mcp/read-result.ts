import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import { failure, type Outcome } from "../../signal/tool.ts";
import { cleanText } from "./clean-text.ts";
import { deepestMessage, nestsDeeper } from "./nesting.ts";
import { parseJson } from "./parse-json.ts";

/** The most characters of a result, in all its texts. */
const longestResult = 100_000;
const longestError = 2000;

/** The outcome of a call, from what the server gave: structured content where it has some, else its texts. All of it is data. */
export function readResult(given: JsonObject): Outcome {
  const blocks = isJsonArray(given["content"]) ? given["content"].map(readBlock) : [];
  if (given["isError"] === true) {
    const said = blocks
      .map((block) => (typeof block === "string" ? block : JSON.stringify(block)))
      .join("; ");
    const words = cleanText(said, longestError);
    return failure({ code: "server-error", message: words === "" ? "It gave no reason." : words });
  }
  const { structuredContent } = given;
  const whole = structuredContent ?? (blocks.length === 1 ? (blocks[0] ?? "") : blocks);
  const length = JSON.stringify(whole).length;
  if (length <= longestResult) return { status: "success", content: whole };
  const text = typeof whole === "string" ? whole : JSON.stringify(whole);
  const note = `The result has ${length} characters; only the first ${longestResult} are here. Ask for less.`;
  return { status: "success", content: { text: text.slice(0, longestResult), cut: note } };
}

/** One part of a result. A text that is JSON becomes its value, so that its fields can be told apart; what is no text is named. */
function readBlock(block: Json): Json {
  if (!isJsonObject(block)) return "[a part that cannot be read]";
  const { type, text, data, mimeType, resource, uri, name } = block;
  const kind = cleanText(typeof mimeType === "string" ? mimeType : "unknown type", 80);
  if (type === "text" && typeof text === "string") return readText(text);
  if (type === "image" || type === "audio")
    return `[${type}, ${kind}, ${typeof data === "string" ? data.length : 0} characters, not shown]`;
  if (type === "resource" && isJsonObject(resource)) {
    const inside = resource["text"];
    return typeof inside === "string"
      ? { uri: textOf(resource["uri"]), text: readText(inside) }
      : `[a file, ${textOf(resource["uri"])}, not shown]`;
  }
  if (type === "resource_link") return { uri: textOf(uri), name: textOf(name) };
  return `[a part of the kind ${textOf(type)}, not shown]`;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? cleanText(value, 500) : "";
}

function readText(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value = parseJson(text);
    return nestsDeeper(value, deepestMessage) ? text : value;
  } catch {
    // Most texts that begin with a bracket are no JSON.
    return text;
  }
}
