import {
  describeOffer,
  listOfferedModels,
  type OfferedModel,
} from "../../reason/providers/offered-models.ts";
import { formatMoney } from "../../signal/spending.ts";
import { beginOf } from "../../text/cut-text.ts";
import {
  askAddressAndKey,
  askProvider,
  type KeyedProvider,
  type ModelQuestions,
  titleOf,
} from "./ask-provider.ts";
import { findServers } from "./find-servers.ts";
import type { Choice, Prompts } from "./prompts.ts";
import type { ChosenModel } from "./setup-plan.ts";
import { type Trial, tryModel, tuneSetting } from "./try-model.ts";

/** Asks for a provider, its key and a model, and tries it, until one answers or is wanted nevertheless. Null: all stays as it is. */
export async function askModel(questions: ModelQuestions): Promise<ChosenModel | null> {
  for (;;) {
    const servers = await findServers(questions.now.config.providers, questions.cancel);
    const provider = await askProvider(questions, servers);
    if (provider === "again") continue;
    if (provider === "none") return null;
    const keyed = await askAddressAndKey(questions, provider);
    const offers = keyed === null ? null : await listOffers(questions, keyed);
    const chosen = keyed === null || offers === null ? null : await askAndTry(questions, keyed, offers);
    if (chosen !== null) return chosen;
  }
}

/** The models to choose from; null, after a word why, where there are none. */
async function listOffers(
  { prompts, cancel }: ModelQuestions,
  { setting }: KeyedProvider,
): Promise<readonly OfferedModel[] | null> {
  const title = titleOf(setting.name);
  const offered = await listOfferedModels(setting, cancel);
  if (!offered.ok) {
    prompts.warn(`${title} did not tell its models: it ${offered.failure.message}. Nothing was written.`);
    return null;
  }
  if (offered.models.length > 0) return offered.models;
  const how = setting.kind === "ollama" ? " Get one in another terminal: ollama pull qwen3:8b" : "";
  prompts.warn(`${title} has no model yet.${how}`);
  return null;
}

/** The model that answered, or that the person wants nevertheless; null to choose another provider. */
async function askAndTry(
  { prompts, cancel, now: { config } }: ModelQuestions,
  { setting, newKey }: KeyedProvider,
  offers: readonly OfferedModel[],
): Promise<ChosenModel | null> {
  for (;;) {
    const offer = await askOffer(prompts, titleOf(setting.name), { offers, current: setting.model });
    const isUnpriced = offer.record.prices === null && config.unpricedModels === "refuse";
    if (isUnpriced && !(await prompts.agree(unpriced(offer.name)))) continue;
    const tuned = await tuneSetting({ ...setting, model: offer.name });
    prompts.say(`Asking ${offer.name} one short question. Ctrl-C leaves.`);
    const trial = await tryModel(tuned.setting, { config, cancel });
    prompts[trial.ok ? "say" : "warn"](describeTrial(offer.name, trial));
    const next = trial.ok ? "take" : await prompts.choose("What now?", afterFailure);
    if (next === "provider") return null;
    if (next === "model") continue;
    const callsTools = trial.ok ? trial.callsTools : tuned.setting.callsTools !== false;
    return { ...tuned, model: offer.name, newKey, callsTools, allowUnpriced: isUnpriced };
  }
}

const afterFailure: readonly Choice<"model" | "provider" | "take">[] = [
  { value: "model", label: "Try another model" },
  { value: "provider", label: "Another provider or key" },
  { value: "take", label: "Take it nevertheless" },
];

function unpriced(name: string): string {
  return `Nobody here knows the price of ${name}, so it would be refused. Allow models without a price? They count at a high assumption, and your budget holds.`;
}

function askOffer(
  prompts: Prompts,
  title: string,
  { offers, current }: { readonly offers: readonly OfferedModel[]; readonly current: string | null },
): Promise<OfferedModel> {
  const choices = offers.map((offer) => ({ value: offer, label: offer.name, hint: describeOffer(offer) }));
  const initial = offers.find(({ name }) => name === current);
  return prompts.choose(`Which model of ${title}?`, choices, initial);
}

/** What came of the call, for a person. */
export function describeTrial(model: string, trial: Trial): string {
  if (!trial.ok) return `${model} did not answer: it ${trial.reason}.`;
  const { text, milliseconds, microdollars, callsTools } = trial;
  const cost = microdollars === 0 ? "" : `, ${formatMoney(microdollars)}`;
  const tools = callsTools
    ? ""
    : "\nIt takes no tools, so it acts by forms in its text: smaller steps, more mistakes.";
  const said = text === "" ? "with nothing but thinking" : `“${beginOf(text.replace(/\s+/g, " "), 200)}”`;
  return `${model} answered ${said} (${(milliseconds / 1000).toFixed(1)} s${cost}).${tools}`;
}
