import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { toJson } from "./raw-parts.ts";

/** The key that the thinking of a whole answer is kept under in its parts. */
const detailsKey = "openrouter";

/**
 * Collects `reasoning_details` from the pieces of an answer: OpenRouter, and servers that do as it does, want them back unchanged with the calls of the answer. The
 * provider package does not know them.
 */
export const reasoningDetails = {
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    const details: JsonObject[] = [];
    return {
      processChunk: (chunk: unknown): void => {
        for (const detail of detailsIn(toJson(chunk))) addDetail(details, detail);
      },
      buildMetadata: () =>
        details.length === 0 ? undefined : { [detailsKey]: { reasoning_details: details.map(mutableCopy) } },
    };
  },
};

/** The kept thinking of an answer as the message of the answer carries it; null if there is none. */
export function replayOfDetails(metadata: JsonObject | null): JsonObject | null {
  const kept = metadata?.[detailsKey] ?? null;
  return isJsonObject(kept) && isJsonArray(kept["reasoning_details"]) ? kept : null;
}

/** What the end of an answer says of its thinking; null if nothing. */
export function detailsOfFinish(metadata: object | undefined): JsonObject | null {
  const json = toJson(metadata ?? null);
  const kept = isJsonObject(json) ? json[detailsKey] : undefined;
  return kept === undefined ? null : { [detailsKey]: kept };
}

function detailsIn(chunk: Json): readonly JsonObject[] {
  const choices = isJsonObject(chunk) ? chunk["choices"] : undefined;
  const [choice] = isJsonArray(choices) ? choices : [];
  const delta = choice !== undefined && isJsonObject(choice) ? choice["delta"] : undefined;
  const details = delta !== undefined && isJsonObject(delta) ? delta["reasoning_details"] : undefined;
  return isJsonArray(details) ? details.filter(isJsonObject) : [];
}

/** Adds a piece: text and summaries that go on belong to the detail before, and so does their signature. */
function addDetail(details: JsonObject[], piece: JsonObject): void {
  const last = details.at(-1);
  const goesOn =
    last !== undefined &&
    piece["data"] === undefined &&
    ["type", "index"].every((name) => last[name] === piece[name]) &&
    (piece["id"] ?? last["id"]) === last["id"];
  if (!goesOn) {
    details.push(piece);
    return;
  }
  const told = Object.entries(piece).filter(([, value]) => value !== null);
  const joined = ["text", "summary"].flatMap((name) => {
    const [before, next] = [last[name], piece[name]];
    return typeof before === "string" && typeof next === "string" ? [[name, before + next] as const] : [];
  });
  details[details.length - 1] = { ...last, ...Object.fromEntries(told), ...Object.fromEntries(joined) };
}

/** Moves the mark of a message to the end of its text, where OpenRouter looks for it. */
export function moveCacheMarks(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { messages } = body;
  if (!Array.isArray(messages)) return { ...body };
  return { ...body, messages: messages.map((message: unknown) => moveCacheMark(message)) };
}

function moveCacheMark(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("cache_control" in message)) return message;
  const { cache_control, ...unmarked } = message;
  const text = "content" in unmarked ? unmarked.content : null;
  if (typeof text !== "string" || text === "") return unmarked;
  return { ...unmarked, content: [{ type: "text", text, cache_control }] };
}

function mutableCopy(value: JsonObject): { [key: string]: Json } {
  return { ...value };
}
