import { join } from "node:path";
import { describeLocality } from "../../health/describe-locality.ts";
import { describeSmallWindow } from "../../health/describe-small-window.ts";
import { variableOf } from "../../reason/model/setting-name.ts";
import { locateProvider } from "../../reason/providers/locate-provider.ts";
import { addressOf } from "../../reason/providers/offered-models.ts";
import { providerPresets } from "../../reason/providers/presets.ts";
import type { ProviderSetting } from "../../reason/providers/settings.ts";
import type { Config } from "../../settings/config.ts";
import { type EnvChanges, formatSetting } from "../../settings/edit-env-text.ts";
import type { Environment } from "../../settings/environment.ts";
import { shownValue } from "../../settings/list-settings.ts";
import { underHome } from "../../text/under-home.ts";

/** What was chosen; null leaves a part as it is. */
export type SetupChoices = {
  readonly model: ChosenModel | null;
  /** The folder of new notes. */
  readonly notes: string | null;
  readonly assistant: string | null;
  /** A chat service that was not set up. */
  readonly door?: ChosenDoor | null;
};

/**
 * A chat service with its key, which was tried. `name`: its name in the vault; `peer`: whom the owner writes
 * to.
 */
export type ChosenDoor = {
  readonly service: string;
  readonly name: string;
  readonly value: string;
  readonly peer: string;
};

export type ChosenModel = {
  readonly setting: ProviderSetting;
  readonly model: string;
  /** A key to keep in the vault; null where it is kept already, or where there is none. */
  readonly newKey: string | null;
  readonly callsTools: boolean;
  /** Tokens; null where they need not be set. */
  readonly contextWindow: number | null;
  readonly allowUnpriced: boolean;
};

/** What setup would write. */
export type SetupPlan = {
  /** The settings file. */
  readonly path: string;
  /** Settings whose values differ from those in the file. */
  readonly changes: EnvChanges;
  /** What the vault gets, by name. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** What keeps a change from having its effect, and what a small context or a provider does not get. */
  readonly warnings: readonly string[];
};

/** What is set now: all settings, what the file alone sets, and what the process's environment sets. */
export type SetupNow = {
  readonly config: Config;
  readonly file: Environment;
  readonly environment: Environment;
};

/** Works out what has to be written for these choices. */
export function planSetup(choices: SetupChoices, now: SetupNow): SetupPlan {
  const { config, file, environment } = now;
  const path = join(config.places.configuration, ".env");
  const wanted = new Map<string, string | null>([
    ...(choices.model === null ? [] : modelSettings(choices.model, now)),
    ...(choices.notes === null ? [] : notesSetting(choices.notes, config)),
    ...(choices.assistant === null || choices.assistant === config.assistant
      ? []
      : ([["MEMEX_ASSISTANT", choices.assistant]] as const)),
  ]);
  const changes = new Map([...wanted].filter(([name, value]) => (file[name] ?? null) !== value));
  const warnings = [...wanted].flatMap(([name, value]) => {
    const set = environment[name];
    if (set === undefined || set === (value ?? "")) return [];
    return [
      `${name} is set in this shell too, to another value, which wins over the file. Take it out there.`,
    ];
  });
  const { newKey = null, setting, contextWindow = null } = choices.model ?? {};
  const small =
    setting === undefined || contextWindow === null ? null : describeSmallWindow(setting, { contextWindow });
  const { door = null } = choices;
  const secrets = [
    ...(newKey === null || setting === undefined ? [] : [{ name: vaultNameOf(setting.name), value: newKey }]),
    ...(door === null ? [] : [{ name: door.name, value: door.value }]),
  ];
  const told = [...(setting === undefined ? [] : tellLocality(setting)), ...(small === null ? [] : [small])];
  return { path, changes, secrets, warnings: [...warnings, ...told] };
}

/** Says of a server at an address of this machine that private text is withheld from it. */
function tellLocality(setting: ProviderSetting): readonly string[] {
  const located = locateProvider(setting);
  if (typeof located === "string" || !located.loopback || located.local) return [];
  return [`${setting.name} is ${describeLocality(setting.name, located)}.`];
}

/** The name of a provider's key in the vault. */
function vaultNameOf(provider: string): string {
  return `${provider}-key`;
}

type Wanted = readonly (readonly [name: string, value: string | null])[];

function modelSettings(chosen: ChosenModel, { config, file }: SetupNow): Wanted {
  const { setting, model, newKey, callsTools, contextWindow, allowUnpriced } = chosen;
  const { name } = setting;
  const preset = providerPresets.get(setting.kind);
  const address = addressOf(setting);
  const isInFile = ["BASE_URL", "HOST"].some((suffix) => file[variableOf(name, suffix)] !== undefined);
  const needsAddress = address !== preset?.baseUrl && !isInFile;
  const cascade = [name, ...config.cascade.filter((other) => other !== name)];
  return [
    ["PROVIDER_CASCADE", cascade.join(",")],
    ...(needsAddress ? ([[variableOf(name, "BASE_URL"), address]] as const) : []),
    ...(newKey === null ? [] : ([[variableOf(name, "API_KEY"), `vault:${vaultNameOf(name)}`]] as const)),
    [variableOf(name, "MODEL"), model],
    [variableOf(name, "TOOLS"), callsTools ? null : "false"],
    ...(contextWindow === null
      ? []
      : ([[variableOf(name, "CONTEXT_WINDOW"), String(contextWindow)]] as const)),
    ...(allowUnpriced ? ([["UNPRICED_MODELS", "allow"]] as const) : []),
  ];
}

/** The other folders of notes stay. */
function notesSetting(folder: string, { places }: Config): Wanted {
  const { notes, otherNotes, home } = places;
  if (folder === notes) return [];
  const others = otherNotes.filter((other) => other !== folder);
  const value = [folder, ...others].map((path) => underHome(path, home).replaceAll(":", "\\:")).join(":");
  return [["MEMEX_DIR", value]];
}

/** The plan for a person, line by line. Keys are never in it. */
export function describePlan(
  { path, changes, secrets }: SetupPlan,
  { config, file }: SetupNow,
): readonly string[] {
  const { home } = config.places;
  const lines = [...changes].flatMap(([name, value]) => [
    ...(file[name] === undefined ? [] : [`  − ${name}=${shownValue(name, file[name])}`]),
    ...(value === null ? [] : [`  + ${formatSetting(name, value)}`]),
  ]);
  const isNew = Object.keys(file).length === 0;
  return [
    ...(lines.length === 0 ? [] : [`${underHome(path, home)}${isNew ? " (new)" : ""}`, ...lines]),
    ...(secrets.length === 0 ? [] : [`${underHome(config.vault.path, home)}`]),
    ...secrets.map((secret) => `  + ${secret.name}, encrypted`),
  ];
}
