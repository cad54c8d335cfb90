import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import type { Clock } from "../../text/clock.ts";
import type { EmbedAnswer, Embedder } from "../model/embed.ts";
import type { Prices } from "../model/model-port.ts";
import { lookUp, originOfPrices } from "./describe-model.ts";
import { failureOf } from "./failure.ts";
import { locateProvider } from "./locate-provider.ts";
import { providerPresets } from "./presets.ts";
import { keyFailure } from "./registry.ts";
import { currentKey, type ProviderSetting, whyKeyIsWithheld } from "./settings.ts";
import { makeSingleRequest } from "./single-request.ts";

/** The settings of an embedder. */
export type EmbedderSetting = {
  readonly provider: ProviderSetting;
  /** Null for the default of the provider's kind. */
  readonly model: string | null;
  /** The owner's prices; null if they come from the price table. */
  readonly prices: Prices | null;
};

const free: Prices = { inputMicrodollarsPerMillion: 0, outputMicrodollarsPerMillion: 0 };
const defaultModels: ReadonlyMap<string, string> = new Map([
  ["ollama", "nomic-embed-text"],
  ["openai", "text-embedding-3-small"],
]);

/** Builds an embedder for any OpenAI-compatible `/embeddings`, such as Ollama's; or explains what is wrong with the settings. Nothing is loaded or connected before the first call. */
export function buildEmbedder({ provider, model, prices }: EmbedderSetting, clock: Clock): Embedder | string {
  const { name } = provider;
  const located = locateProvider(provider);
  const kind = providerPresets.get(provider.kind);
  if (typeof located === "string") return located;
  if (kind === undefined || kind.protocol === "anthropic" || kind.protocol === "google") {
    return `The provider ${name} has no OpenAI-compatible embeddings: name another provider in EMBEDDING_PROVIDER.`;
  }
  const { url, loopback, local, missingKey } = located;
  if (missingKey !== null) return `The provider ${name} has no key: set ${missingKey}.`;
  const baseUrl = (provider.baseUrl ?? kind.baseUrl ?? "").replace(/\/+$/, "");
  const used = model ?? defaultModels.get(provider.kind) ?? "default";
  return {
    name,
    local,
    model: used,
    prices: async () => {
      const isKnown = prices !== null || loopback;
      const entry = isKnown ? null : await lookUp({ url: url.href, model: used, now: clock() });
      return {
        prices: prices ?? (loopback ? free : (entry?.prices ?? null)),
        price: originOfPrices(prices !== null, loopback, entry),
      };
    },
    embed: async (texts, _reserved, cancel) => {
      const withheld = whyKeyIsWithheld(provider);
      return withheld === null
        ? ask({ baseUrl, apiKey: currentKey(provider), model: used, clock }, texts, cancel)
        : { ok: false, failure: keyFailure(withheld) };
    },
  };
}

type Asking = {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly clock: Clock;
};

async function ask(
  { baseUrl, apiKey, model: name, clock }: Asking,
  texts: readonly string[],
  cancel: AbortSignal,
): Promise<EmbedAnswer> {
  const single = makeSingleRequest(baseUrl);
  try {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const connection = { name: "compatible", baseURL: baseUrl, apiKey: apiKey ?? "", fetch: single.fetch };
    const model: EmbeddingModelV4 = createOpenAICompatible(connection).embeddingModel(name);
    const { embeddings, usage } = await model.doEmbed({ values: [...texts], abortSignal: cancel });
    const vectors = embeddings.map((vector) => Float32Array.from(vector));
    return { ok: true, vectors, tokens: usage?.tokens ?? null };
  } catch (error) {
    const failure = failureOf(error, { ...single.seen(), begun: false }, clock());
    const message =
      apiKey === null || apiKey === "" ? failure.message : failure.message.replaceAll(apiKey, "[key]");
    return { ok: false, failure: { ...failure, message, ...(cancel.aborted ? { code: "cancelled" } : {}) } };
  }
}
