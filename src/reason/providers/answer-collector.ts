import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../signal/json.ts";
import type { FinishReason, ModelPart, TokenUsage } from "../model/model-port.ts";
import { printRaw, type RawPart, toJson } from "./raw-parts.ts";

type Draft = { kind: "text" | "thinking"; text: string; metadata: JsonObject | null };
type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** Turns a package's stream parts into ours, and keeps them whole for a replay to the same provider. */
export function collect(provider: string, model: string) {
  const parts: (RawPart | Draft)[] = [];
  const drafts = new Map<string, Draft>();
  const ids = new Set<string>();
  let finish: Finish | null = null;
  let begun = false;

  const draft = (kind: Draft["kind"], id: string): Draft => {
    const key = `${kind} ${id}`;
    const found = drafts.get(key) ?? { kind, text: "", metadata: null };
    if (!drafts.has(key)) parts.push(found);
    drafts.set(key, found);
    return found;
  };
  const freshId = (wanted: string): string => {
    let id = wanted.trim() === "" ? "call" : wanted;
    for (let count = 2; ids.has(id); count += 1) id = `${wanted}-${count}`;
    ids.add(id);
    return id;
  };

  function* take(part: LanguageModelV4StreamPart, toolNamed: (name: string) => string): Generator<ModelPart> {
    switch (part.type) {
      case "text-start":
      case "text-end":
      case "reasoning-start":
      case "reasoning-end":
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type.startsWith("text") ? "text" : "thinking";
        const written = draft(kind, part.id);
        written.metadata = metadataOf(part.providerMetadata) ?? written.metadata;
        const text = "delta" in part ? part.delta : "";
        written.text += text;
        if (part.type.endsWith("-end")) drafts.delete(`${kind} ${part.id}`);
        if (text === "") return;
        begun = true;
        yield { kind, text };
        return;
      }
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        begun = true;
        yield { kind: "progress" };
        return;
      case "tool-call": {
        begun = true;
        if (part.providerExecuted === true) return;
        const call = {
          id: freshId(part.toolCallId),
          name: toolNamed(part.toolName),
          argumentsText: part.input,
        };
        parts.push({ kind: "call", ...call, metadata: metadataOf(part.providerMetadata) });
        yield { kind: "call", call };
        return;
      }
      case "finish":
        finish = part;
        return;
      case "stream-start":
      case "response-metadata":
      case "tool-result":
      case "tool-approval-request":
      case "source":
      case "file":
      case "reasoning-file":
      case "custom":
      case "ping":
      case "raw":
      case "error":
        return;
    }
  }

  const end = (): ModelPart | null => {
    if (finish === null) return null;
    const finishReason = reasonOf(finish.finishReason);
    if (finishReason === null && !begun) return null;
    const usage = usageOf(finish.usage);
    const kept = parts.filter((part) => part.kind === "call" || part.text !== "" || part.metadata !== null);
    if (finishReason !== null)
      return { kind: "finish", finishReason, usage, raw: printRaw(provider, model, kept) };
    const message = "the answer broke off before its end";
    return { kind: "failed", failure: { code: "cut-off", message, retryAfterMs: null, begun: true, usage } };
  };
  return { take, end, begun: () => begun };
}

function reasonOf({ unified }: LanguageModelV4FinishReason): FinishReason | null {
  switch (unified) {
    case "stop":
    case "length":
    case "other":
      return unified;
    case "tool-calls":
      return "calls";
    case "content-filter":
      return "filtered";
    case "error":
    case "interrupted":
      return null;
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  return { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
}

function metadataOf(metadata: object | undefined): JsonObject | null {
  const json = toJson(metadata ?? null);
  return isJsonObject(json) && Object.keys(json).length > 0 ? json : null;
}
