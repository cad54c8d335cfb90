import { variableOf } from "../../reason/model/setting-name.ts";
import { addressOf, listOfferedModels, type OfferedModel } from "../../reason/providers/offered-models.ts";
import { providerPresets } from "../../reason/providers/presets.ts";
import { nearestName } from "../../text/nearest-name.ts";
import {
  type KeyedProvider,
  needsNoKey,
  problemOfAddress,
  problemOfKey,
  problemOfName,
  settingOf,
} from "./ask-provider.ts";
import { findServers } from "./find-servers.ts";
import type { ChosenModel, SetupNow } from "./setup-plan.ts";
import { type Trial, tryModel, tuneSetting } from "./try-model.ts";

/** What flags say. `key` is the text of standard input; null without `--key-stdin`. */
export type GivenSetup = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly address: string | null;
  readonly key: string | null;
  readonly allowUnpriced: boolean;
  readonly tries: boolean;
};

/** What was found, and the model that was chosen by it; or why none could be, and what to do. */
export type FoundModel =
  | {
      readonly ok: true;
      readonly chosen: ChosenModel;
      readonly offers: readonly OfferedModel[];
      readonly trial: Trial | null;
    }
  | { readonly ok: false; readonly code: string; readonly reason: string };

const failed = (code: string, reason: string): FoundModel => ({ ok: false, code, reason });

/** Chooses a model by flags alone: the named provider, else the only server that runs here; the named model, else the usual one. It is tried before it is taken. */
export async function findGivenModel(
  given: GivenSetup,
  now: SetupNow,
  cancel: AbortSignal,
): Promise<FoundModel> {
  const provider = given.provider ?? (await theOnlyServer(now, cancel));
  if (provider === null)
    return failed(
      "no-provider",
      "No single Ollama or llama.cpp answers on this machine. Name a provider: --provider NAME",
    );
  const keyed = keyedProvider(provider.toLowerCase(), given, now);
  if (typeof keyed === "string") return failed("wrong-provider", keyed);
  const offered = await listOfferedModels(keyed.setting, cancel);
  if (!offered.ok)
    return failed(
      "no-models",
      `${provider} did not tell its models: it ${offered.failure.message}. Nothing was written.`,
    );
  const offer = chooseOffer(given.model ?? keyed.setting.model, offered.models, given.model !== null);
  if (typeof offer === "string") return failed("no-model", `${provider} ${offer}`);
  const isUnpriced = offer.record.prices === null && now.config.unpricedModels === "refuse";
  if (isUnpriced && !given.allowUnpriced)
    return failed(
      "unpriced",
      `Nobody here knows the price of ${offer.name}, so it would be refused. Add --allow-unpriced, or choose another.`,
    );
  const tuned = await tuneSetting({ ...keyed.setting, model: offer.name });
  const trial = given.tries ? await tryModel(tuned.setting, { config: now.config, cancel }) : null;
  if (trial?.ok === false)
    return failed(
      "no-answer",
      `${offer.name} did not answer: it ${trial.reason}. Nothing was written. --no-test takes it nevertheless.`,
    );
  const callsTools = trial?.callsTools ?? tuned.setting.callsTools !== false;
  const chosen = { ...tuned, model: offer.name, newKey: keyed.newKey, callsTools, allowUnpriced: isUnpriced };
  return { ok: true, chosen, offers: offered.models, trial };
}

async function theOnlyServer({ config }: SetupNow, cancel: AbortSignal): Promise<string | null> {
  const [current] = config.cascade;
  if (current !== undefined) return current;
  const servers = await findServers(config.providers, cancel);
  return servers.length === 1 ? (servers[0]?.name ?? null) : null;
}

/** The provider with its key, or what is wrong. */
function keyedProvider(
  name: string,
  { address, key }: GivenSetup,
  { config }: SetupNow,
): KeyedProvider | string {
  const isKnown = providerPresets.has(name) || config.providers.some((one) => one.name === name);
  const problem = isKnown ? undefined : problemOfName(name);
  if (problem !== undefined) return problem;
  if (address !== null && problemOfAddress(address) !== undefined) return `${problemOfAddress(address)}`;
  const known = settingOf(name, config);
  const { vaultKey, ...rest } = address === null ? known : { ...known, baseUrl: address };
  if (addressOf(rest) === "") {
    const near = nearestName(name, [...providerPresets.keys()]);
    return `There is no address of ${name}. Add --address URL${near === null ? "" : `, or did you mean ${near}?`}`;
  }
  const wrong = key === null ? undefined : problemOfKey(key);
  if (wrong !== undefined) return wrong;
  if (key !== null) return { setting: { ...rest, apiKey: key }, newKey: key };
  const setting = vaultKey === undefined ? rest : { ...rest, vaultKey };
  const hasKey = rest.apiKey !== null || vaultKey !== undefined || needsNoKey(setting);
  return hasKey || providerPresets.get(rest.kind)?.needsKey !== true
    ? { setting, newKey: null }
    : `${name} needs a key. Give it by standard input with --key-stdin, or set ${variableOf(name, "API_KEY")}.`;
}

/** The model of this name, else the first that is offered; or why there is none. */
function chooseOffer(
  wanted: string | null,
  offers: readonly OfferedModel[],
  isNamed: boolean,
): OfferedModel | string {
  const [first] = offers;
  if (first === undefined) return "has no model yet.";
  const found = offers.find(({ name }) => name === wanted);
  if (found !== undefined || !isNamed) return found ?? first;
  const near = nearestName(
    wanted ?? "",
    offers.map(({ name }) => name),
  );
  return `has no model ${wanted}. ${near === null ? `It has ${first.name}.` : `Did you mean ${near}?`}`;
}
