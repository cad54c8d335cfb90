import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import type { FinishReason, ModelPart } from "../model/model-port.ts";
import { detailsOfFinish } from "./compatible-extras.ts";
import type { ProviderEndpoint } from "./endpoint.ts";
import { printRaw, type RawPart, toJson } from "./raw-parts.ts";
import { readUsage } from "./read-usage.ts";
import { type SplitPiece, ThinkingSplitter } from "./split-thinking.ts";

type RawCall = Extract<RawPart, { kind: "call" }>;
type Draft = { kind: "text" | "thinking"; text: string; metadata: JsonObject | null };
type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type ToolCall = Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;
type TextPart = Extract<
  LanguageModelV4StreamPart,
  {
    type: "text-start" | "text-delta" | "text-end" | "reasoning-start" | "reasoning-delta" | "reasoning-end";
  }
>;

/** Translates the stream parts of one answer from a provider package into ours, and keeps them whole for a replay to the same provider. */
export class AnswerCollector {
  readonly #provider: string;
  readonly #model: string;
  readonly #statesCost: boolean;
  readonly #parts: (RawCall | Draft)[] = [];
  readonly #drafts = new Map<string, Draft>();
  readonly #callIds = new Set<string>();
  readonly #splitter: ThinkingSplitter | null;
  #finish: Finish | null = null;
  #splitId = "";
  #begun = false;

  constructor({ name, statesCost, writesThinking }: ProviderEndpoint, model: string) {
    this.#provider = name;
    this.#model = model;
    this.#statesCost = statesCost;
    this.#splitter = writesThinking(model) ? new ThinkingSplitter() : null;
  }

  /** Whether a piece of the answer has arrived. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Translates one part. `toolNamed` gives our name of a tool for the provider's. */
  *take(part: LanguageModelV4StreamPart, toolNamed: (name: string) => string): Generator<ModelPart> {
    switch (part.type) {
      case "text-start":
      case "text-end":
      case "reasoning-start":
      case "reasoning-end":
      case "text-delta":
      case "reasoning-delta":
        yield* this.#takeText(part);
        return;
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        this.#begun = true;
        yield { kind: "progress" };
        return;
      case "tool-call":
        yield* this.#takeCall(part, toolNamed);
        return;
      case "finish":
        this.#finish = part;
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

  /** What was held back until the end. */
  *rest(): Generator<ModelPart> {
    const isWhole = this.#finish !== null && reasonOf(this.#finish.finishReason) !== "length";
    const pieces = this.#splitter?.end(isWhole && this.#callIds.size === 0) ?? [];
    yield* this.#takePieces(pieces);
  }

  /** The last part of the answer; null if the provider never finished it. */
  end(): ModelPart | null {
    if (this.#finish === null) return null;
    const finishReason = reasonOf(this.#finish.finishReason);
    if (finishReason === null && !this.#begun) return null;
    const usage = readUsage(this.#finish.usage, this.#statesCost);
    if (finishReason === null) {
      const message = "the answer broke off before its end";
      const failure = { code: "cut-off", message, retryAfterMs: null, begun: true, usage } as const;
      return { kind: "failed", failure };
    }
    const details = detailsOfFinish(this.#finish.providerMetadata);
    const whole: Draft[] = details === null ? [] : [{ kind: "thinking", text: "", metadata: details }];
    const parts = [...whole, ...this.#parts].filter(
      (part) => part.kind === "call" || part.text !== "" || part.metadata !== null,
    );
    return { kind: "finish", finishReason, usage, raw: printRaw(this.#provider, this.#model, parts) };
  }

  *#takeText(part: TextPart): Generator<ModelPart> {
    const kind = part.type.startsWith("text") ? "text" : "thinking";
    if (kind === "text" && this.#splitter !== null) {
      this.#splitId = part.id;
      yield* this.#takePieces("delta" in part ? this.#splitter.push(part.delta) : []);
      return;
    }
    const draft = this.#draftOf(kind, part.id);
    draft.metadata = metadataOf(part.providerMetadata) ?? draft.metadata;
    const text = "delta" in part ? part.delta : "";
    draft.text += text;
    if (part.type.endsWith("-end")) this.#drafts.delete(`${kind} ${part.id}`);
    if (text === "") return;
    this.#begun = true;
    yield { kind, text };
  }

  /** Thinking that the model wrote into its text becomes thinking; what turned out to be some is withdrawn. */
  *#takePieces(pieces: readonly SplitPiece[]): Generator<ModelPart> {
    for (const piece of pieces) {
      this.#begun = true;
      if (piece.kind === "withdrawn") {
        for (const part of this.#parts) if (part.kind === "text") part.text = "";
      } else {
        this.#draftOf(piece.kind, `split ${this.#splitId}`).text += piece.text;
      }
      yield piece;
    }
  }

  *#takeCall(part: ToolCall, toolNamed: (name: string) => string): Generator<ModelPart> {
    this.#begun = true;
    if (part.providerExecuted === true) return;
    const call = {
      id: this.#uniqueId(part.toolCallId),
      name: toolNamed(part.toolName),
      argumentsText: part.input,
    };
    this.#parts.push({ kind: "call", ...call, metadata: metadataOf(part.providerMetadata) });
    yield { kind: "call", call };
  }

  #draftOf(kind: Draft["kind"], id: string): Draft {
    const key = `${kind} ${id}`;
    const known = this.#drafts.get(key);
    if (known !== undefined) return known;
    const draft: Draft = { kind, text: "", metadata: null };
    this.#parts.push(draft);
    this.#drafts.set(key, draft);
    return draft;
  }

  #uniqueId(wanted: string): string {
    let id = wanted.trim() === "" ? "call" : wanted;
    for (let count = 2; this.#callIds.has(id); count += 1) id = `${wanted}-${count}`;
    this.#callIds.add(id);
    return id;
  }
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

function metadataOf(metadata: object | undefined): JsonObject | null {
  const json = toJson(metadata ?? null);
  return isJsonObject(json) && Object.keys(json).length > 0 ? json : null;
}
