import { cutJson } from "../../signal/bound-result.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import { failure, type Outcome } from "../../signal/tool.ts";
import { cleanText } from "./clean-text.ts";
import { deepestMessage, nestsDeeper } from "./nesting.ts";
import { parseJson } from "./parse-json.ts";

/** Characters of a result that are kept. */
const longestKept = 1_000_000;
const longestError = 2000;

/** The outcome of a call, from what the server gave: structured content in place of its texts where it has some, and all other parts. All of it is data. */
export function readResult(given: JsonObject): Outcome {
  const blocks = isJsonArray(given["content"]) ? given["content"].map(readBlock) : [];
  if (given["isError"] === true) {
    const said = blocks
      .map((block) => (typeof block === "string" ? block : JSON.stringify(block)))
      .join("; ");
    const words = cleanText(said, longestError);
    return failure({ code: "server-error", message: words === "" ? "It gave no reason." : words });
  }
  const whole = wholeOf(given["structuredContent"], given["content"], blocks);
  return { status: "success", content: cutJson(whole, longestKept) };
}

function wholeOf(structured: Json | undefined, said: Json | undefined, blocks: readonly Json[]): Json {
  if (structured === undefined) return blocks.length === 1 ? (blocks[0] ?? "") : blocks;
  const shown = withoutMedia(structured);
  const parts = isJsonArray(said) ? said : [];
  const others = blocks.filter((_, index) => {
    const part = parts[index] ?? null;
    return !isJsonObject(part) || part["type"] !== "text";
  });
  return others.length === 0 ? shown : { structured: shown, parts: others };
}

/** Structured content in which pictures, sound and files stand by their names alone, as parts of a result do. */
function withoutMedia(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutMedia);
  if (!isJsonObject(value)) return value;
  const { type, data, uri, blob } = value;
  if ((type === "image" || type === "audio") && typeof data === "string") return readBlock(value);
  if (typeof uri === "string" && typeof blob === "string")
    return readBlock({ type: "resource", resource: value });
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMedia(item)]));
}

/** One part of a result. A text that is JSON becomes its value, so that its fields can be told apart; what is no text is named. */
function readBlock(block: Json): Json {
  if (!isJsonObject(block)) return "[a part that cannot be read]";
  const { type, text, data, mimeType, resource } = block;
  if (type === "text" && typeof text === "string") return readText(text);
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
