import { hash } from "node:crypto";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Agents } from "../../connect/send.ts";
import type { Clock } from "../../text/clock.ts";
import type { ModelFailure, ModelPart, ModelRequest, Provider } from "../model/model-port.ts";
import { AnswerCollector } from "./answer-collector.ts";
import { moveCacheMarks, reasoningDetails } from "./compatible-extras.ts";
import type { ProviderEndpoint } from "./endpoint.ts";
import { failureOf } from "./failure.ts";
import { listNearestModels } from "./nearest-models.ts";
import { toCompletionResponse, toOllamaBody } from "./ollama-chat.ts";
import { ollamaRoot } from "./ollama-server.ts";
import { effortFor, effortsOf } from "./output-limits.ts";
import { toProviderPrompt } from "./provider-prompt.ts";
import { makeSingleRequest, type SingleRequest } from "./single-request.ts";

/** Streams from the models of a provider through its package, which is loaded at the first call. One request for each call, no retry, failures as parts. */
export function openProviderStream(endpoint: ProviderEndpoint, clock: Clock): Provider["stream"] {
  const models = new Map<string, LanguageModelV4>();
  const agents: Agents = new Map();
  const requests = new WeakMap<AbortSignal, { readonly single: SingleRequest; readonly model: string }>();
  /** Finds the call that a request belongs to by its signal. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? AbortSignal.abort();
    const call = requests.get(signal);
    if (call === undefined || init === undefined) throw new Error("a request that belongs to no model call");
    const options = await endpoint.ollamaOptions(call.model, signal);
    if (options === null) return call.single.fetch(input, init);
    const body = toOllamaBody(String(init.body), options);
    const url = `${ollamaRoot(endpoint.baseUrl)}/api/chat`;
    return toCompletionResponse(await call.single.fetch(url, { ...init, body }));
  };
  return (request, _reserved, cancel) => {
    const signal = requests.has(cancel) ? AbortSignal.any([cancel]) : cancel;
    const single = makeSingleRequest(endpoint.baseUrl, agents);
    requests.set(signal, { single, model: request.model });
    const open = async (): Promise<LanguageModelV4> => {
      const model = models.get(request.model) ?? (await openModel(endpoint, request.model, fetch));
      models.set(request.model, model);
      return model;
    };
    return streamFrom({ endpoint, open, single, clock }, request, signal);
  };
}

type Call = {
  readonly endpoint: ProviderEndpoint;
  readonly open: () => Promise<LanguageModelV4>;
  readonly single: SingleRequest;
  readonly clock: Clock;
};

async function* streamFrom(
  { endpoint, open, single, clock }: Call,
  request: ModelRequest,
  cancel: AbortSignal,
): AsyncGenerator<ModelPart> {
  const fail = async (error: unknown, begun: boolean): Promise<ModelPart> => {
    const found = failureOf(error, { ...single.seen(), begun }, clock());
    const models = found.code === "no-model" ? await listNearestModels(endpoint, request.model, cancel) : "";
    const failure = { ...found, message: found.message + models };
    return {
      kind: "failed",
      failure: cancel.aborted ? cancelled(failure) : withoutKey(failure, endpoint.apiKey),
    };
  };
  const answer = new AnswerCollector(endpoint, request.model);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | null = null;
  try {
    const model = await open();
    const providerPrompt = toProviderPrompt(request, {
      provider: endpoint.name,
      thinkingReplay: endpoint.thinkingReplay,
      callsTools: endpoint.callsTools,
      cacheMarks: endpoint.cacheMarks(request.model),
    });
    const { stream } = await model.doStream({
      prompt: providerPrompt.prompt,
      maxOutputTokens: request.maxOutputTokens,
      abortSignal: cancel,
      ...(providerPrompt.tools.length > 0 && { tools: providerPrompt.tools }),
      ...effortOf(endpoint, request),
      ...(endpoint.protocol === "openai" && {
        providerOptions: {
          openai: {
            ...(asksForResponses(endpoint, request.model) && keptByUs),
            ...(request.session !== undefined && { promptCacheKey: cacheKeyOf(request.session) }),
          },
        },
      }),
    });
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.type === "error") {
        yield await fail(value.error, answer.begun);
        return;
      }
      yield* answer.take(value, providerPrompt.toolNamed);
    }
    yield* answer.rest();
    const end = answer.end();
    yield end ?? (await fail(new Error("the stream ended without a finish"), answer.begun));
  } catch (error) {
    yield await fail(error, answer.begun);
  } finally {
    void Promise.allSettled([reader?.cancel()]);
  }
}

/** Nothing is stored at OpenAI: its thinking comes encrypted with each answer, and goes back with the next request. */
const keptByUs = { store: false, forceReasoning: true };

/** Requests of one session with the same key reach the same cache. The key tells nothing of the session. */
function cacheKeyOf(session: string): string {
  return hash("sha256", session).slice(0, 32);
}

/** Tokens of an answer below which no thinking is asked for: none of it would be left for the answer. */
const leastToThink = 1_024;

/**
 * Each provider package says it in its own words: `thinking` and `effort`, `reasoning.effort`,
 * `thinkingConfig`, `reasoning_effort`.
 */
function effortOf({ effort, protocol }: ProviderEndpoint, { model, maxOutputTokens }: ModelRequest) {
  if (effort === null || maxOutputTokens < leastToThink) return {};
  const asked = effortFor(effort, effortsOf(model), protocol);
  if (asked === null) return {};
  return { reasoning: asked === "off" ? "none" : asked } as const;
}

/** OpenAI's models that think do so with tools only through its API of responses; its chat completions turn their thinking off. */
function asksForResponses({ protocol }: ProviderEndpoint, model: string): boolean {
  return protocol === "openai" && effortsOf(model).length > 0;
}

async function openModel(
  endpoint: ProviderEndpoint,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const { protocol, baseUrl, apiKey } = endpoint;
  const shared = { baseURL: baseUrl, apiKey: apiKey ?? "", fetch };
  switch (protocol) {
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...shared,
        name: "compatible",
        includeUsage: true,
        metadataExtractor: reasoningDetails,
        transformRequestBody: moveCacheMarks,
      }).chatModel(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI(shared);
      return asksForResponses(endpoint, model) ? openai.responses(model) : openai.chat(model);
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
