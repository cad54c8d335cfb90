import { cutJson } from "../../signal/bound-result.ts";
import { failure, type Outcome } from "../../signal/tool.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { cleanText } from "./clean-text.ts";
import { countValues, mostValues } from "./message-limits.ts";
import { parseJsonOrThrow } from "./parse-json-or-throw.ts";

/** Characters of a result that are kept. */
const longestKept = 1_000_000;
const longestError = 2000;

/**
 * The outcome of a call, from what the server gave, however loose its form: structured content in place of
 * its texts where it has some, and all other parts. All of it is data.
 */
export function readResult(given: JsonObject): Outcome {
  const said = partsOf(given["content"]);
  const readText = makeTextReader();
  const blocks = said.map((part) => readBlock(part, readText));
  if (given["isError"] === true || given["isError"] === "true") {
    const whole = blocks
      .map((block) => (typeof block === "string" ? block : JSON.stringify(block)))
      .join("; ");
    const words = cleanText(whole, longestError);
    return failure({ code: "server-error", message: words === "" ? "It gave no reason." : words });
  }
  const whole = wholeOf(given["structuredContent"], said, blocks);
  return { status: "success", content: cutJson(whole, longestKept) };
}

/** The parts of a result: some servers send one without a list, a plain text, or none. */
function partsOf(content: Json | undefined): readonly Json[] {
  if (content === undefined || content === null) return [];
  return isJsonArray(content) ? content : [content];
}

/** Any value may be structured content. One that is empty takes no place of a text. */
function wholeOf(structured: Json | undefined, parts: readonly Json[], blocks: readonly Json[]): Json {
  if (structured === undefined || (isEmpty(structured) && blocks.length > 0))
    return blocks.length === 1 ? (blocks[0] ?? "") : blocks;
  const shown = withoutMedia(structured);
  const others = blocks.filter((_, index) => textIn(parts[index] ?? null) === null);
  return others.length === 0 ? shown : { structured: shown, parts: others };
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Structured content in which pictures, sound and files stand by their names alone, as parts of a result do. */
function withoutMedia(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutMedia);
  if (!isJsonObject(value)) return value;
  const { type, data, uri, blob } = value;
  if ((type === "image" || type === "audio") && typeof data === "string") return readBlock(value, asText);
  if (typeof uri === "string" && typeof blob === "string")
    return readBlock({ type: "resource", resource: value }, asText);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMedia(item)]));
}

type ReadText = (text: string) => Json;

/**
 * The text of a part, also where it stands without its type, or is a number or a truth; null for another
 * part.
 */
function textIn(part: Json): string | null {
  if (!isJsonObject(part)) return isJsonArray(part) || part === null ? null : String(part);
  const { type = "text", text = null } = part;
  if (type !== "text") return null;
  return typeof text === "string" ? text : text === null ? null : JSON.stringify(text);
}

/** One part of a result. A text that is JSON becomes its value, so that its fields can be told apart; what is no text is named. */
function readBlock(block: Json, readText: ReadText): Json {
  const own = textIn(block);
  if (own !== null) return readText(own);
  if (!isJsonObject(block)) return "[a part that cannot be read]";
  const { type, data, mimeType, resource } = block;
  if (type === "image" || type === "audio") return notShown(type, mimeType, data);
  if (type === "resource" && isJsonObject(resource)) {
    const { uri, text: inside, mimeType: kind, blob } = resource;
    const about = { uri: textOf(uri) };
    return typeof inside === "string"
      ? { ...about, text: readText(inside) }
      : { ...about, file: notShown("file", kind, blob) };
  }
  if (type === "resource_link") return readLink(block);
  return `[a part of the kind ${textOf(type)}, not shown]`;
}

function notShown(what: string, kind: Json | undefined, data: Json | undefined): string {
  const size = typeof data === "string" ? data.length : 0;
  return `[${what}, ${textOf(kind) || "unknown type"}, ${size} characters, not shown]`;
}

/** A link to something that the server keeps, with what it says of it. Nobody follows it. */
function readLink(link: JsonObject): Json {
  const { size } = link;
  const said = ["uri", "name", "title", "description", "mimeType"].flatMap((key) =>
    typeof link[key] === "string" ? [[key, textOf(link[key])] as const] : [],
  );
  return { ...Object.fromEntries(said), ...(typeof size === "number" ? { size } : {}) };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? cleanText(value, 500) : "";
}

const asText: ReadText = (text) => text;

/**
 * Reads the texts of one result. A text stays a text where its JSON would be too much together with those
 * before it.
 */
function makeTextReader(): ReadText {
  let left = mostValues;
  return (text) => {
    if (!/^\s*[[{]/.test(text)) return text;
    const count = countValues(text, left);
    if (count === null) return text;
    left -= count;
    try {
      return parseJsonOrThrow(text);
    } catch {
      // Most texts that begin with a bracket are no JSON.
      return text;
    }
  };
}
