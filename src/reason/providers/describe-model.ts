import type { InputKind } from "../../signal/attachment.ts";
import type { PriceOrigin } from "../../signal/spending.ts";
import type { ModelRecord, PriceOverrides, Prices, RecordOrigin } from "../model/model-port.ts";
import { mergePrices } from "../model/usage.ts";
import { knownInputs } from "./known-inputs.ts";
import type { OllamaModel } from "./ollama-server.ts";
import { effortFor, effortsOf, outputLimitOf } from "./output-limits.ts";
import type { ProviderKind, ProviderPreset } from "./presets.ts";
import { findInTable, namesOfService, priceTableDay, type TableEntry } from "./price-table.ts";
import type { ProviderSetting } from "./settings.ts";

/** Tokens of an answer without its thinking, where no setting says otherwise. */
const answerTokens = 16_384;
/** Tokens for the thinking before an answer. They do not count against the answer. */
const thinkingTokens = 16_384;
/** Tokens of an answer of a model whose limit is not known: some providers refuse a request that asks for more than their limit. */
const unknownLimit = 8_192;
/** Tokens of the context of a model of Ollama, where neither a setting nor its Modelfile says otherwise: for a model of 8 billion parameters they take about 2 GB of memory. */
const ollamaTokens = 16_384;

const free: Prices = { inputMicrodollarsPerMillion: 0, outputMicrodollarsPerMillion: 0 };

/** A model of a provider, and where it is. */
export type DescribedModel = {
  readonly model: string;
  readonly setting: ProviderSetting;
  readonly preset: ProviderPreset;
  readonly url: string;
  readonly loopback: boolean;
  /** Unix milliseconds. */
  readonly now: number;
  /** What its Ollama server tells of it; null for other servers, and where it told nothing. */
  readonly served: OllamaModel | null;
};

/** What is known of a model: the owner's settings, else the price table, else the preset. The table is loaded only where it is needed, never over the network. */
export async function describeModel(described: DescribedModel): Promise<ModelRecord> {
  const { model, setting, preset, loopback } = described;
  const ownModel = model === (setting.model ?? preset.model);
  const overrides = ownModel ? (setting.prices ?? {}) : {};
  const entry = loopback ? null : await lookUp(described);
  const isFree = loopback && !isSet(setting.prices ?? {});
  const window = windowOf(described, entry);
  return {
    model,
    contextWindow: window.tokens,
    ...(described.served !== null && { largestWindow: described.served.contextLength }),
    ...outputOf(described, window.tokens),
    ...effortOf(described),
    inputs: inputsOf(described),
    prices: isFree ? free : mergePrices(overrides, entry?.prices ?? null),
    origin: {
      contextWindow: window.origin,
      maxOutputTokens: originOfOutput(model, setting),
      prices: originOfPrices(isSet(overrides), isFree, entry),
    },
  };
}

/** What the price table knows of a model. It is loaded at the first look. */
export async function lookUp({
  url,
  model,
  now,
}: Pick<DescribedModel, "url" | "model" | "now">): Promise<TableEntry | null> {
  const { priceTable } = await import("./price-source.ts");
  return findInTable(priceTable, { url, model, now });
}

/** The names that the price table has for the models of the service at an address. It is loaded at the first look. */
export async function namesInTable(url: string): Promise<readonly string[]> {
  const { priceTable } = await import("./price-source.ts");
  return namesOfService(priceTable, url);
}

type Window = { readonly tokens: number; readonly origin: RecordOrigin };

/** The context that an Ollama server is asked to run a model with. It takes memory, so that it is not always all that the model can have. */
export function ollamaWindow(
  { contextWindow }: Pick<ProviderSetting, "contextWindow">,
  { contextLength, wanted }: OllamaModel,
): Window {
  const asked = contextWindow ?? wanted ?? ollamaTokens;
  if (asked >= contextLength) return { tokens: contextLength, origin: "server" };
  if (contextWindow !== undefined) return { tokens: asked, origin: "setting" };
  return { tokens: asked, origin: wanted === null ? "bound" : "server" };
}

function windowOf(
  { setting, preset, served }: Pick<DescribedModel, "setting" | "preset" | "served">,
  entry: TableEntry | null,
): Window {
  if (served !== null) return ollamaWindow(setting, served);
  const { contextWindow } = setting;
  if (contextWindow !== undefined) return { tokens: contextWindow, origin: "setting" };
  const known = entry?.contextWindow ?? null;
  return known === null
    ? { tokens: preset.contextWindow, origin: "preset" }
    : { tokens: known, origin: entry?.byNameOnly === true ? "name" : "table" };
}

/** What a request asks for: room for the answer, and beside it for the thinking of a model that thinks, within the model's limit and half its window. */
function outputOf(
  { model, setting: { maxOutputTokens: wanted }, served }: DescribedModel,
  window: number,
): Pick<ModelRecord, "maxOutputTokens" | "thinks"> {
  const thinks = effortsOf(model, served).length > 0;
  const limit = outputLimitOf(model)?.tokens ?? wanted ?? unknownLimit;
  const answer = wanted ?? Math.min(answerTokens, Math.floor(window / 4));
  const whole = thinks ? answer + Math.min(thinkingTokens, Math.floor(window / 4)) : answer;
  return {
    maxOutputTokens: wanted === undefined ? Math.min(limit, whole) : Math.max(wanted, Math.min(limit, whole)),
    thinks,
  };
}

/** How much a model that thinks can be asked to, and is. */
function effortOf({ model, setting, preset, served }: DescribedModel): Pick<ModelRecord, "effort"> {
  const levels = effortsOf(model, served);
  if (levels.length === 0) return {};
  const asked = setting.effort === undefined ? null : effortFor(setting.effort, levels, preset.protocol);
  return { effort: { levels, asked, usual: outputLimitOf(model)?.usual ?? null } };
}

/** What the owner says, else the server, else what is known of the model's name. No server of this machine but Ollama tells. */
function inputsOf({
  model,
  setting,
  preset,
  served,
}: Pick<DescribedModel, "model" | "setting" | "preset" | "served">): readonly InputKind[] {
  if (setting.inputs !== undefined) return setting.inputs;
  if (served !== null) return served.sees ? ["picture"] : [];
  return knownInputs(model).filter((kind) => kind === "picture" || takesPdf.has(preset.kind));
}

/** The services that take PDF files; other servers with the same protocol do not. */
const takesPdf: ReadonlySet<ProviderKind> = new Set(["openai", "anthropic", "google", "openrouter"]);

function originOfOutput(model: string, { maxOutputTokens }: ProviderSetting): RecordOrigin {
  if (maxOutputTokens !== undefined) return "setting";
  return outputLimitOf(model) === null ? "assumption" : "table";
}

/** Where prices come from that the owner set, that are free, or that the table knows. */
export function originOfPrices(overridden: boolean, isFree: boolean, entry: TableEntry | null): PriceOrigin {
  if (overridden) return { from: "setting", day: null };
  if (isFree) return { from: "local", day: null };
  if (entry === null) return { from: "assumption", day: null };
  return { from: entry.byNameOnly ? "name" : "table", day: priceTableDay };
}

function isSet(overrides: PriceOverrides): boolean {
  return Object.keys(overrides).length > 0;
}
