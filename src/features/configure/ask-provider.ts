import { variableOf } from "../../reason/model/setting-name.ts";
import { locateProvider } from "../../reason/providers/locate-provider.ts";
import { providerPresets } from "../../reason/providers/presets.ts";
import { type ProviderSetting, settingsFrom } from "../../reason/providers/settings.ts";
import type { Config } from "../../settings/config.ts";
import type { FoundServer } from "./find-servers.ts";
import type { Choice, Prompts } from "./prompts.ts";
import type { SetupNow } from "./setup-plan.ts";

/** What choosing a model needs. `unlock` opens the vault, and says false where its passphrase is not known. */
export type ModelQuestions = {
  readonly prompts: Prompts;
  readonly now: SetupNow;
  readonly cancel: AbortSignal;
  readonly unlock: () => Promise<boolean>;
};

/** A provider with the key that it is asked with; `newKey` is to be kept in the vault. */
export type KeyedProvider = { readonly setting: ProviderSetting; readonly newKey: string | null };

const hosted = ["anthropic", "openai", "google", "openrouter", "groq"] as const;
/** Names of services as people know them. */
const titles: ReadonlyMap<string, string> = new Map([
  ["ollama", "Ollama"],
  ["llama", "llama.cpp"],
  ["anthropic", "Anthropic"],
  ["openai", "OpenAI"],
  ["google", "Google"],
  ["openrouter", "OpenRouter"],
  ["groq", "Groq"],
]);

/** A provider's name for a person. */
export function titleOf(name: string): string {
  return titles.get(name) ?? name;
}

/** Asks for a provider by its name; `other` is one that has no name yet, `again` looks again for servers, `none` leaves all as it is. */
export function askProvider(
  { prompts, now: { config } }: ModelQuestions,
  servers: readonly FoundServer[],
): Promise<string> {
  const [current] = config.cascade;
  const own = config.cascade.filter((name) => !titles.has(name) && name !== "scripted");
  const choices: readonly Choice<string>[] = [
    ...servers.map(({ name, models }) => choiceOf(name, `runs here, ${countOf(models)}`)),
    ...own.map((name) => choiceOf(name, "set up")),
    ...hosted.map((name) =>
      choiceOf(name, hasKey(settingOf(name, config)) ? "its key is set" : "with a key"),
    ),
    { value: "other", label: "Another server", hint: "that speaks OpenAI's protocol" },
    ...(servers.length === 0 ? [{ value: "again", label: "Look for Ollama and llama.cpp again" }] : []),
    current === undefined
      ? { value: "none", label: "No model now", hint: "notes, agenda and commands work without one" }
      : { value: "none", label: "Leave the models as they are", hint: config.cascade.join(", ") },
  ];
  if (servers.length === 0) prompts.say(noServer);
  return prompts.choose("Which model should answer?", choices, current);
}

const noServer =
  "No Ollama or llama.cpp answers on this machine. To use one, start it (for Ollama: ollama serve), and look again.";

function choiceOf(name: string, hint: string): Choice<string> {
  return { value: name, label: titleOf(name), hint };
}

function countOf(models: readonly string[]): string {
  return models.length === 1 ? "1 model" : `${models.length} models`;
}

function hasKey({ apiKey, vaultKey }: ProviderSetting): boolean {
  return apiKey !== null || vaultKey !== undefined;
}

/** Asks for what a provider needs beside its name; null to choose another. */
export async function askAddressAndKey(
  questions: ModelQuestions,
  provider: string,
): Promise<KeyedProvider | null> {
  const { prompts, now } = questions;
  if (provider !== "other") return askKey(questions, settingOf(provider, now.config));
  const name = await prompts.line("Its name, as it will stand in your settings", "", problemOfName);
  const baseUrl = await prompts.line("Its address, as in https://host.example/v1", "", problemOfAddress);
  return askKey(questions, { ...settingOf(name.toLowerCase(), now.config), baseUrl });
}

/** The settings of a provider as they are. */
export function settingOf(name: string, config: Config): ProviderSetting {
  const setting = config.providers.find((one) => one.name === name) ?? settingsFrom([name], {})[0];
  if (setting === undefined) throw new Error(`No setting was made for ${name}.`);
  return setting;
}

/** What is wrong with the name of a provider of the owner's own; undefined if nothing is. */
export function problemOfName(text: string): string | undefined {
  if (!/^[a-z][a-z0-9-]{0,30}$/i.test(text))
    return "A name has letters, digits and hyphens, and begins with a letter.";
  const name = text.toLowerCase();
  return providerPresets.has(name) || name === "scripted"
    ? "This name is taken by a provider that is known here."
    : undefined;
}

/** What is wrong with an address; undefined if nothing is. */
export function problemOfAddress(text: string): string | undefined {
  const [setting] = settingsFrom(["address"], { ADDRESS_BASE_URL: text });
  return setting === undefined || typeof locateProvider(setting) === "string"
    ? "An address begins with http:// or https://, and has no password in it."
    : undefined;
}

/** What is wrong with a key; undefined if nothing is. The vault keeps no shorter value, since it could not be masked. */
export function problemOfKey(text: string): string | undefined {
  if (text.length < 8) return "A key has 8 characters or more.";
  return /^[!-~]+$/.test(text) ? undefined : "A key has no spaces and no special letters. Copy it again.";
}

/** Whether a provider is asked without a key: a server on this machine. */
export function needsNoKey(setting: ProviderSetting): boolean {
  const located = locateProvider(setting);
  const isServer = setting.kind === "ollama" || setting.kind === "llama";
  return isServer && typeof located !== "string" && located.loopback && !hasKey(setting);
}

async function askKey(
  { prompts, unlock, now }: ModelQuestions,
  setting: ProviderSetting,
): Promise<KeyedProvider | null> {
  if (needsNoKey(setting)) return { setting, newKey: null };
  const { vaultKey, ...rest } = setting;
  const { name, apiKey } = rest;
  const variable = variableOf(name, "API_KEY");
  const choices: readonly Choice<"vault" | "shell" | "move" | "none" | "new">[] = [
    ...(vaultKey === undefined
      ? []
      : [{ value: "vault" as const, label: `Keep it: ${vaultKey.name} of the vault` }]),
    ...(apiKey === null || now.file[variable] === apiKey
      ? []
      : [{ value: "shell" as const, label: `Use ${variable} of this shell`, hint: "nothing is stored" }]),
    ...(apiKey === null
      ? []
      : [{ value: "move" as const, label: "Put the key that is set into the vault", hint: "encrypted" }]),
    { value: "new", label: "Type a key" },
    ...(providerPresets.get(setting.kind)?.needsKey === true
      ? []
      : [{ value: "none" as const, label: "It needs no key" }]),
  ];
  const way = choices.length === 1 ? "new" : await prompts.choose(`The key of ${titleOf(name)}`, choices);
  if (way === "vault") return (await unlock()) ? { setting, newKey: null } : null;
  if (way === "shell" || way === "none") return { setting, newKey: null };
  const question = `The key of ${titleOf(name)} (it is not shown, and goes into the vault alone)`;
  const check = (text: string): string | undefined => problemOfKey(text.trim());
  const key = way === "move" && apiKey !== null ? apiKey : (await prompts.hidden(question, check)).trim();
  return { setting: { ...rest, apiKey: key }, newKey: key };
}
