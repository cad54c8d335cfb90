import { readLlamaServer } from "../../health/check-llama-server.ts";
import type { ModelFailure, ModelRequest, Provider, TokenUsage } from "../../reason/model/model-port.ts";
import { costOf } from "../../reason/model/usage.ts";
import { buildProviders, locateProvider } from "../../reason/providers/registry.ts";
import type { ProviderSetting } from "../../reason/providers/settings.ts";
import { bottomLabel } from "../../signal/label.ts";

/** What came of one real call to a model. */
export type Trial =
  | {
      readonly ok: true;
      readonly text: string;
      readonly milliseconds: number;
      readonly microdollars: number;
      /** Whether the model takes tools. */
      readonly callsTools: boolean;
    }
  | { readonly ok: false; readonly reason: string };

const words = "Say in one short sentence that you are ready.";
const request = {
  system: "You are tried out once. Answer in one short sentence. Call no tool.",
  messages: [{ role: "user", text: words, label: bottomLabel }],
  stableMessages: 0,
} as const;
/** A tool that nobody runs: a model that takes no tools refuses the call. */
const tool = {
  name: "now",
  description: "Gives the time.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

/** Asks a model one short question, with a tool beside it as the agent does; where the model takes no tools, once more without. */
export async function tryModel(
  setting: ProviderSetting,
  { cancel, patience }: { readonly cancel: AbortSignal; readonly patience: number },
): Promise<Trial> {
  const { providers, problems } = buildProviders([setting], Date.now);
  const provider = providers.get(setting.name);
  if (provider === undefined) return { ok: false, reason: problems.join(" ") };
  const { prices, maxOutputTokens } = await provider.recordOf(provider.model);
  const began = performance.now();
  const ask = (callsTools: boolean): Promise<Asked> =>
    collect(
      provider,
      {
        ...request,
        model: provider.model,
        maxOutputTokens: Math.min(maxOutputTokens, mostTokens),
        tools: callsTools ? [tool] : [],
      },
      AbortSignal.any([cancel, AbortSignal.timeout(patience)]),
    );
  const first = await ask(provider.callsTools);
  const refusesTools = first.failure !== null && takesNoTools.test(first.failure.message);
  const last = refusesTools ? await ask(false) : first;
  if (last.failure !== null) return { ok: false, reason: last.failure.message };
  return {
    ok: true,
    text: last.text.trim(),
    milliseconds: performance.now() - began,
    microdollars: last.usage === null ? 0 : costOf(last.usage, prices),
    callsTools: provider.callsTools && !refusesTools,
  };
}

/** Tokens of the answer, with room for a model that thinks first. */
const mostTokens = 2_048;
/** Ollama's words for a model without tools. */
const takesNoTools = /does not support tools|tools? (?:is|are) not supported|no tool support/i;

type Asked = {
  readonly text: string;
  readonly usage: TokenUsage | null;
  readonly failure: ModelFailure | null;
};

async function collect(provider: Provider, asked: ModelRequest, cancel: AbortSignal): Promise<Asked> {
  let text = "";
  for await (const part of provider.stream(asked, cancel)) {
    if (part.kind === "text") text += part.text;
    if (part.kind === "withdrawn") text = "";
    if (part.kind === "failed") return { text, usage: part.failure.usage, failure: part.failure };
    if (part.kind === "finish") return { text, usage: part.usage, failure: null };
  }
  throw new Error(`The stream of ${provider.name} ended without its last part.`);
}

/** The setting as its server needs it: what a llama.cpp server tells of its context and of tools counts. Tools are tried, whatever was set for an earlier model. */
export async function tuneSetting(
  setting: ProviderSetting,
): Promise<{ readonly setting: ProviderSetting; readonly contextWindow: number | null }> {
  const { callsTools: _, ...rest } = setting;
  const located = locateProvider(setting);
  const isServer = setting.kind === "llama" && typeof located !== "string" && located.loopback;
  const server = isServer ? await readLlamaServer(located.url) : null;
  const contextWindow = server?.contextWindow ?? null;
  return {
    contextWindow,
    setting: {
      ...rest,
      callsTools: server?.callsTools !== false,
      ...(contextWindow === null ? {} : { contextWindow }),
    },
  };
}
