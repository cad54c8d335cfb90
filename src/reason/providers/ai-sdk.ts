import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../../signal/clock.ts";
import type { ModelFailure, ModelPart, ModelRequest } from "../model-port.ts";
import { collect } from "./collect.ts";
import { failureOf } from "./failure.ts";
import { singleRequest } from "./single-request.ts";
import { word } from "./wording.ts";

/** Which of the provider packages speaks to this provider. */
export type Protocol = "openai-compatible" | "openai" | "anthropic" | "google";

/** One provider's own address and key. Nothing else learns them, and no message holds the key. */
export type Connection = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly baseUrl: string;
  /** Null where none is needed. */
  readonly apiKey: string | null;
  /** Whether thinking without a signature goes back to the provider too. */
  readonly replaysThinking: boolean;
};

/** One call of a model through its provider's package, which is loaded now. One request, no retry, failures as parts. */
export async function* streamFrom(
  connection: Connection,
  request: ModelRequest,
  clock: Clock,
  cancel: AbortSignal,
): AsyncGenerator<ModelPart> {
  const single = singleRequest(connection.baseUrl);
  const fail = (error: unknown, begun: boolean): ModelPart => {
    const failure = failureOf(error, { ...single.seen(), begun }, clock());
    return {
      kind: "failed",
      failure: cancel.aborted ? cancelled(failure) : withoutKey(failure, connection.apiKey),
    };
  };
  const answer = collect(connection.name, request.model);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | null = null;
  try {
    const model = await openModel(connection, request.model, single.fetch);
    const worded = word(request, { provider: connection.name, replaysThinking: connection.replaysThinking });
    const { stream } = await model.doStream({
      prompt: worded.prompt,
      maxOutputTokens: request.maxOutputTokens,
      abortSignal: cancel,
      ...(worded.tools.length > 0 && { tools: worded.tools }),
    });
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.type === "error") {
        yield fail(value.error, answer.begun());
        return;
      }
      yield* answer.take(value, worded.toolNamed);
    }
    const end = answer.end();
    yield end ?? fail(new Error("the stream ended without a finish"), answer.begun());
  } catch (error) {
    yield fail(error, answer.begun());
  } finally {
    void Promise.allSettled([reader?.cancel()]);
  }
}

async function openModel(
  { protocol, baseUrl, apiKey }: Connection,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const shared = { baseURL: baseUrl, apiKey: apiKey ?? "", fetch };
  switch (protocol) {
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ ...shared, name: "compatible", includeUsage: true }).chatModel(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI(shared).chat(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(shared).languageModel(model);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(shared).languageModel(model);
    }
  }
}

function cancelled(failure: ModelFailure): ModelFailure {
  return { ...failure, code: "cancelled", message: "stopped", retryAfterMs: null };
}

function withoutKey(failure: ModelFailure, apiKey: string | null): ModelFailure {
  if (apiKey === null || apiKey === "") return failure;
  return { ...failure, message: failure.message.replaceAll(apiKey, "[key]") };
}
