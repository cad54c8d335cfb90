import type { InputKind } from "../../signal/attachment.ts";
import type { ChosenModel } from "../../signal/chosen-model.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import type { ModelRecord, Prices, Provider } from "../model/model-port.ts";
import { namesInTable } from "./describe-model.ts";
import { addressOf, describeOffer, listOfferedModels, type OfferedModel } from "./offered-models.ts";
import { providerPresets } from "./presets.ts";
import { buildProviders } from "./registry.ts";
import { currentKey, type ProviderSetting } from "./settings.ts";

/** A model as it is told of: tokens, what it takes beside text, and dollars for a million tokens; null where nobody knows its price. */
export type ExploredModel = {
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly thinks: boolean;
  readonly takes: readonly InputKind[];
  readonly price: { readonly input: number; readonly output: number } | null;
  readonly priceFrom: string;
  /** Price and room in a few words. */
  readonly words: string;
};

/** A provider with the models that it offers now; `problem` says why it lists none. */
export type ExploredProvider = {
  readonly provider: string;
  readonly local: boolean;
  /** The model that is asked where nothing else is chosen. */
  readonly asked: string;
  readonly callsTools: boolean;
  readonly problem: string | null;
  readonly models: readonly ExploredModel[];
};

/** Asks the providers of a cascade for their models, and tells them in words too. */
export async function exploreCascade(
  {
    cascade,
    providers,
  }: { readonly cascade: readonly string[]; readonly providers: readonly ProviderSetting[] },
  cancel: AbortSignal,
): Promise<{ readonly found: readonly ExploredProvider[]; readonly words: string }> {
  const asked = cascade.flatMap(
    (name) => providers.find((one) => one.name === name && name !== "scripted") ?? [],
  );
  const found = await exploreModels(asked, cancel);
  return { found, words: describeExplored(found) };
}

/** Asks each provider for its models, all at once, and tells what the kept table knows of them. Sends nothing but the keys. One that does not answer is told with its reason. */
function exploreModels(
  settings: readonly ProviderSetting[],
  cancel: AbortSignal,
): Promise<readonly ExploredProvider[]> {
  return Promise.all(settings.map((setting) => explore(setting, cancel)));
}

/** Tells what the kept table knows of each provider's models, and of those that the owner named. Asks nobody for a list. */
export function exploreKnownModels(
  settings: readonly ProviderSetting[],
  named: readonly ChosenModel[],
): Promise<readonly ExploredProvider[]> {
  return Promise.all(
    settings.map(async (setting) => {
      const found = openProvider(setting);
      if (found.provider === null) return found.known;
      const { provider, known } = found;
      const own = named.flatMap((one) => (one.provider === setting.name ? (one.model ?? []) : []));
      const names = [known.asked, provider.cheaperModel ?? [], own, await namesInTable(addressOf(setting))];
      const models = await Promise.all(
        [...new Set(names.flat())].map(async (name) =>
          exploredOf({ name, record: await provider.recordOf(name) }),
        ),
      );
      return { ...known, problem: provider.withheld?.() ?? whyNoKey(setting), models };
    }),
  );
}

type Opened =
  | { readonly provider: null; readonly known: ExploredProvider }
  | { readonly provider: Provider; readonly known: Omit<ExploredProvider, "problem" | "models"> };

function openProvider(setting: ProviderSetting): Opened {
  const { providers, problems } = buildProviders([setting], Date.now);
  const provider = providers.get(setting.name);
  if (provider === undefined) {
    const problem = problems.join(" ");
    const nothing = { local: false, asked: "", callsTools: false, problem, models: [] };
    return { provider: null, known: { provider: setting.name, ...nothing } };
  }
  const { name, local, model: asked, callsTools } = provider;
  return { provider, known: { provider: name, local, asked, callsTools } };
}

async function explore(setting: ProviderSetting, cancel: AbortSignal): Promise<ExploredProvider> {
  const found = openProvider(setting);
  if (found.provider === null) return found.known;
  const { provider, known } = found;
  const { asked } = known;
  const lacking = provider.withheld?.() ?? whyNoKey(setting);
  const own = async (): Promise<ExploredModel> =>
    exploredOf({ name: asked, record: await provider.recordOf(asked) });
  if (lacking !== null) return { ...known, problem: lacking, models: [await own()] };
  const listed = await listOfferedModels(setting, cancel);
  if (!listed.ok)
    return {
      ...known,
      problem: `it does not say which models it has: ${listed.failure.message}`,
      models: [await own()],
    };
  const models = listed.models.map(exploredOf);
  const isListed = asked === "default" || models.some(({ model }) => model === asked);
  return { ...known, problem: isListed ? null : `its list has no ${asked}, which is asked`, models };
}

function whyNoKey(setting: ProviderSetting): string | null {
  const needsKey = providerPresets.get(setting.kind)?.needsKey === true;
  return needsKey && currentKey(setting) === null ? "has no key" : null;
}

function exploredOf(offered: OfferedModel): ExploredModel {
  const { name, record } = offered;
  const { contextWindow, maxOutputTokens, thinks, inputs, prices, origin } = record;
  return {
    model: name,
    contextWindow,
    maxOutputTokens,
    thinks,
    takes: inputs,
    price: priceOf(prices),
    priceFrom: origin.prices.from,
    words: [describeOffer(offered), ...abilitiesOf(record)].join(" · "),
  };
}

function priceOf(prices: Prices | null): ExploredModel["price"] {
  if (prices === null) return null;
  return {
    input: prices.inputMicrodollarsPerMillion / 1e6,
    output: prices.outputMicrodollarsPerMillion / 1e6,
  };
}

function abilitiesOf({ thinks, inputs }: ModelRecord): readonly string[] {
  return [
    ...(thinks ? ["thinks"] : []),
    ...inputs.map((kind) => (kind === "pdf" ? "PDF files" : "pictures")),
  ];
}

/** How many models of a provider are shown in words. */
const mostShown = 12;

/** What comes from a provider, without what could hide in it. */
const shown = (text: string): string => escapeInvisible(text);

/** Tells what was found, a provider and its models after the other. */
function describeExplored(found: readonly ExploredProvider[]): string {
  return found
    .flatMap(({ provider, local, asked, callsTools, problem, models }) => {
      const place = `${local ? ", on this machine" : ""}${callsTools ? "" : ", without tools of its own"}`;
      const trouble = problem === null ? "" : `: ${problem}`;
      const more = models.length - mostShown;
      return [
        shown(`${provider}${place}${trouble}`),
        ...models
          .slice(0, mostShown)
          .map(({ model, words }) => `  ${model === asked ? "*" : " "} ${shown(model)}: ${shown(words)}`),
        ...(more > 0 ? [`    and ${more} more, which --json lists`] : []),
      ];
    })
    .join("\n");
}
