import type { Clock } from "../../text/clock.ts";
import { nearestEffort } from "../model/effort.ts";
import type { ModelFailure, Provider } from "../model/model-port.ts";
import { variableOf } from "../model/setting-name.ts";
import { describeModel, ollamaWindow } from "./describe-model.ts";
import type { OllamaOptions, ProviderEndpoint } from "./endpoint.ts";
import { locateProvider } from "./locate-provider.ts";
import { OllamaError, type OllamaModel, openOllamaServer } from "./ollama-server.ts";
import { effortsOf } from "./output-limits.ts";
import { type ProviderKind, type ProviderPreset, providerPresets } from "./presets.ts";
import { currentKey, type ProviderSetting, settingsDigest, whyKeyIsWithheld } from "./settings.ts";

/** Families of models that write their thinking into their text where the server does not take it out. */
const families =
  /deepseek-?r\d|r1-distill|\bqwq|qwen-?3|magistral|kimi-?(?:k\d-)?thinking|phi-?4-reasoning|smollm3|hermes-?4|nemotron|exaone-deep|glm-?4\.[1-9]|minimax-m\d|[-/]think(?:ing)?\b/i;

/** A model of a provider. */
type ServedModel = {
  readonly model: string;
  readonly preset: Pick<ProviderPreset, "protocol" | "staysLocal" | "needsKey">;
  readonly loopback: boolean;
  /** What the owner said; undefined if nothing. */
  readonly wanted: boolean | undefined;
};

/**
 * Whether thinking is looked for in a model's text: for every model of a server on this machine or of Ollama
 * and llama.cpp, elsewhere for the known families.
 */
function writesThinking({ model, preset, loopback, wanted }: ServedModel): boolean {
  if (wanted !== undefined) return wanted;
  if (preset.protocol !== "openai-compatible") return false;
  const isOwnServer = preset.staysLocal || (loopback && !preset.needsKey);
  return isOwnServer || families.test(model);
}

/** How long an Ollama server may take to tell of a model; then the record does without. Milliseconds. */
const patience = 1_000;

/** The usable providers by name, and messages about the others. */
export type ProviderRegistry = {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly problems: readonly string[];
};

/** Builds a provider from each setting. Nothing is loaded or connected before its first call. */
export function buildProviders(settings: readonly ProviderSetting[], clock: Clock): ProviderRegistry {
  const providers = new Map<string, Provider>();
  const problems: string[] = [];
  for (const setting of settings) {
    const built = build(setting, clock);
    if (typeof built === "string") problems.push(built);
    else if (providers.has(setting.name))
      problems.push(`The provider ${setting.name} is set up twice: the first settings count.`);
    else providers.set(setting.name, built);
  }
  return { providers, problems };
}

function build(setting: ProviderSetting, clock: Clock): Provider | string {
  const { name } = setting;
  const located = locateProvider(setting);
  const kind = providerPresets.get(setting.kind);
  if (typeof located === "string") return located;
  if (kind === undefined) return `The provider ${name} has an unknown kind.`;
  const { loopback, local, missingKey } = located;
  const baseUrl = (setting.baseUrl ?? kind.baseUrl ?? "").replace(/\/+$/, "");
  const ollama = kind.kind === "ollama" ? openOllamaServer(baseUrl, () => currentKey(setting), clock) : null;
  const connection: Connection = {
    name,
    protocol: kind.protocol,
    baseUrl,
    thinkingReplay: kind.thinkingReplay,
    cacheMarks: (model) => cacheMarksOf(kind.kind, model),
    writesThinking: (model) =>
      writesThinking({ model, preset: kind, loopback, wanted: setting.writesThinking }),
    effort: setting.effort ?? null,
    statesCost: kind.statesCost,
    callsTools: setting.callsTools ?? true,
    ollamaOptions: async (model, cancel) => {
      const served = (await ollama?.modelNamed(model, cancel)) ?? null;
      if (local && served !== null) refuseElsewhere(name, model, served);
      return served === null ? null : ollamaOptionsOf(model, setting, served);
    },
  };
  return {
    name,
    settings: settingsDigest(setting),
    local,
    model: setting.model ?? kind.model,
    cheaperModel: setting.cheaperModel ?? null,
    recordOf: async (model) => {
      const served =
        (await ollama?.modelNamed(model, AbortSignal.timeout(patience)).catch(() => null)) ?? null;
      return describeModel({
        model,
        setting,
        preset: kind,
        url: located.url.href,
        loopback,
        now: clock(),
        served,
      });
    },
    callsTools: connection.callsTools,
    writesThinking: connection.writesThinking,
    withheld: () => whyKeyIsWithheld(setting),
    stream: streamOf(connection, { missingKey, setting }, clock),
  };
}

/** What is sent to a local provider may be private, and must not leave the machine. */
function refuseElsewhere(name: string, model: string, { remoteHost }: OllamaModel): void {
  if (remoteHost === null) return;
  const words = `${model} runs at ${remoteHost} and not here: set ${variableOf(name, "LOCAL")}=false, so that private text is withheld from it. Nothing was sent`;
  throw new OllamaError(403, words);
}

/** A model of Ollama that takes no levels thinks or does not. */
function ollamaOptionsOf(model: string, setting: ProviderSetting, served: OllamaModel): OllamaOptions {
  const { effort } = setting;
  const asked = effort === undefined ? null : nearestEffort(effort, effortsOf(model, served));
  const numCtx = ollamaWindow(setting, served).tokens;
  return { numCtx, think: asked === null || served.takesLevels ? asked : asked !== "off" };
}

/** Behind OpenRouter only Anthropic's models need marks. */
function cacheMarksOf(kind: ProviderKind, model: string): "anthropic" | "openrouter" | null {
  if (kind === "anthropic") return kind;
  return kind === "openrouter" && /^~?anthropic\//i.test(model) ? kind : null;
}

/** An endpoint without its key, which may change. */
type Connection = Omit<ProviderEndpoint, "apiKey">;

type Keys = { readonly missingKey: string | null; readonly setting: ProviderSetting };

function streamOf(connection: Connection, { missingKey, setting }: Keys, clock: Clock): Provider["stream"] {
  let opened: { readonly apiKey: string | null; readonly stream: Provider["stream"] } | null = null;
  return async function* (request, reserved, cancel) {
    const lacking = missingKey === null ? whyKeyIsWithheld(setting) : `has no key: set ${missingKey}`;
    if (lacking !== null) {
      yield { kind: "failed", failure: keyFailure(lacking) };
      return;
    }
    const { openProviderStream } = await import("./ai-sdk.ts");
    const apiKey = currentKey(setting);
    if (opened === null || opened.apiKey !== apiKey)
      opened = { apiKey, stream: openProviderStream({ ...connection, apiKey }, clock) };
    yield* opened.stream(request, reserved, cancel);
  };
}

/** The failure of a request that was not sent, because there is no key for it. */
export function keyFailure(message: string): ModelFailure {
  return { code: "auth", message, retryAfterMs: null, begun: false, usage: null };
}
