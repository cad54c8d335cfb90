import { formatMoney } from "../../signal/spending.ts";
import { formatTokens } from "../../text/format-time.ts";
import type { ModelFailure, ModelRecord, Prices } from "../model/model-port.ts";
import { listModels } from "./list-models.ts";
import { providerPresets } from "./presets.ts";
import { buildProviders } from "./registry.ts";
import { currentKey, type ProviderSetting } from "./settings.ts";

/** A model that a provider offers now, with what is known of it. */
export type OfferedModel = { readonly name: string; readonly record: ModelRecord };

/** Milliseconds that a provider may take to list its models. */
const patience = 10_000;

/** The models that a provider offers now: the usual one first, then those whose price is known. */
export async function listOfferedModels(
  setting: ProviderSetting,
  cancel: AbortSignal,
): Promise<
  | { readonly ok: true; readonly models: readonly OfferedModel[] }
  | { readonly ok: false; readonly failure: ModelFailure }
> {
  const preset = providerPresets.get(setting.kind);
  const listed = await listModels(
    {
      baseUrl: addressOf(setting),
      apiKey: currentKey(setting),
      protocol: preset?.protocol ?? "openai-compatible",
    },
    AbortSignal.any([cancel, AbortSignal.timeout(patience)]),
  );
  if (!listed.ok) return listed;
  const provider = buildProviders([setting], Date.now).providers.get(setting.name);
  if (provider === undefined) return { ok: true, models: [] };
  const models = await Promise.all(
    listed.models.map(async (name) => ({ name, record: await provider.recordOf(name) })),
  );
  const rank = ({ name, record }: OfferedModel): number =>
    name === provider.model ? 0 : record.prices === null ? 2 : 1;
  return { ok: true, models: models.toSorted((one, other) => rank(one) - rank(other)) };
}

/** The address of a provider's API. */
export function addressOf({ baseUrl, kind }: Pick<ProviderSetting, "baseUrl" | "kind">): string {
  return (baseUrl ?? providerPresets.get(kind)?.baseUrl ?? "").replace(/\/+$/, "");
}

/** What a model costs and how much it can read, in a few words. */
export function describeOffer({ record }: OfferedModel): string {
  const { prices, contextWindow, origin } = record;
  const guessed = origin.contextWindow === "preset" || origin.contextWindow === "assumption";
  const room = guessed ? "" : ` · ${formatTokens(contextWindow)} tokens`;
  return `${describePrices(prices, origin.prices.from === "local")}${room}`;
}

function describePrices(prices: Prices | null, isLocal: boolean): string {
  if (isLocal) return "free, on this machine";
  if (prices === null) return "its price is not known here";
  const { inputMicrodollarsPerMillion: input, outputMicrodollarsPerMillion: output } = prices;
  if (input === 0 && output === 0) return "free";
  return `${formatMoney(input)} in, ${formatMoney(output)} out, a million tokens`;
}
