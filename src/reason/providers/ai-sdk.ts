import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../../signal/clock.ts";
import type { ModelFailure, ModelPart, ModelRequest, Provider } from "../model/model-port.ts";
import { AnswerCollector } from "./answer-collector.ts";
import { failureOf } from "./failure.ts";
import { toProviderPrompt } from "./provider-prompt.ts";
import { makeSingleRequest, type SingleRequest } from "./single-request.ts";

/** Which of the provider packages speaks to this provider. */
export type ProviderProtocol = "openai-compatible" | "openai" | "anthropic" | "google";

/** One provider's own address and key. Nothing else learns them, and no message holds the key. */
export type ProviderEndpoint = {
  readonly name: string;
  readonly protocol: ProviderProtocol;
  readonly baseUrl: string;
  /** Null where none is needed. */
  readonly apiKey: string | null;
  /** Whether thinking without a signature goes back to the provider too. */
  readonly replaysThinking: boolean;
};

/** Asks the models of a connection through its provider's package, which is loaded at the first call and makes each model once. One request a call, no retry, failures as parts. */
export function openProviderStream(connection: ProviderEndpoint, clock: Clock): Provider["stream"] {
  const models = new Map<string, LanguageModelV4>();
  const requests = new WeakMap<AbortSignal, SingleRequest>();
  /** A request belongs to the call whose signal it has. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const single = requests.get(init?.signal ?? AbortSignal.abort());
    if (single === undefined) throw new Error("a request that belongs to no model call");
    return single.fetch(input, init);
  };
  return (request, cancel) => {
    const signal = requests.has(cancel) ? AbortSignal.any([cancel]) : cancel;
    const single = makeSingleRequest(connection.baseUrl);
    requests.set(signal, single);
    const open = async (): Promise<LanguageModelV4> => {
      const model = models.get(request.model) ?? (await openModel(connection, request.model, fetch));
      models.set(request.model, model);
      return model;
    };
    return streamFrom({ connection, open, single, clock }, request, signal);
  };
}

type Call = {
  readonly connection: ProviderEndpoint;
  readonly open: () => Promise<LanguageModelV4>;
  readonly single: SingleRequest;
  readonly clock: Clock;
};

async function* streamFrom(
  { connection, open, single, clock }: Call,
  request: ModelRequest,
  cancel: AbortSignal,
): AsyncGenerator<ModelPart> {
  const fail = (error: unknown, begun: boolean): ModelPart => {
    const failure = failureOf(error, { ...single.seen(), begun }, clock());
    return {
      kind: "failed",
      failure: cancel.aborted ? cancelled(failure) : withoutKey(failure, connection.apiKey),
    };
  };
  const answer = new AnswerCollector(connection.name, request.model);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | null = null;
  try {
    const model = await open();
    const worded = toProviderPrompt(request, {
      provider: connection.name,
      replaysThinking: connection.replaysThinking,
    });
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
        yield fail(value.error, answer.begun);
        return;
      }
      yield* answer.take(value, worded.toolNamed);
    }
    const end = answer.end();
    yield end ?? fail(new Error("the stream ended without a finish"), answer.begun);
  } catch (error) {
    yield fail(error, answer.begun);
  } finally {
    void Promise.allSettled([reader?.cancel()]);
  }
}

async function openModel(
  { protocol, baseUrl, apiKey }: ProviderEndpoint,
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
