import { join } from "node:path";
import type { EmbedderSetting } from "../reason/providers/embedding.ts";
import type { ProviderSetting } from "../reason/providers/settings.ts";
import type { RouteRule } from "../reason/route/read-routes.ts";
import type { ChosenModel } from "../signal/chosen-model.ts";
import type { ConsensusKind } from "../signal/consensus.ts";
import type { Permission } from "../signal/facts.ts";
import { pushAll } from "../text/lists.ts";
import { type DoorConfig, readDoorSettings } from "./door-settings.ts";
import { listSecrets, readEnvFile, reportUnknownNames, type UnknownName } from "./env-file.ts";
import type { Environment } from "./environment.ts";
import { findUnknownModels } from "./find-unknown-models.ts";
import { type HabitSettings, readHabitSettings } from "./habit-settings.ts";
import { type OrgSettings, readAgendaFiles, readOrgSettings } from "./org-settings.ts";
import { type OwnServers, readOwnServers } from "./own-servers.ts";
import { readProgramFolders } from "./program-folders.ts";
import { describedBeside, readProviderSettings } from "./read-provider-settings.ts";
import { type ReadSetting, settingReader } from "./read-setting.ts";
import { settingTable, unusedSettings } from "./setting-table.ts";
import { findNotesFolders, findUserFolders, type UserFolders } from "./user-folders.ts";
import { openVault, type Vault } from "./vault.ts";

/** Everything that can be set, parsed once. Times are milliseconds, money is dollars. */
export type Config = OwnServers &
  DoorConfig &
  HabitSettings & {
    readonly places: UserFolders;
    readonly assistant: string;
    readonly silentActuators: readonly string[];
    readonly cascade: readonly string[];
    readonly providers: readonly ProviderSetting[];
    readonly script: string | null;
    /** The provider that turns notes into vectors; null if none does. */
    readonly embedding: EmbedderSetting | null;
    readonly permissions: ReadonlyMap<string, Permission>;
    /** The skills without which the agent answers but does not act. */
    readonly mandatorySkills: readonly string[];
    readonly fallbackAnswer: string | null;
    readonly budgetPerDay: number;
    readonly budgetPerSession: number;
    readonly budgetPerTurn: number;
    /** Where no model fits into the budget: the owner is asked, or the reflex engine answers. */
    readonly atBudgetCap: "ask" | "reflex";
    /** Whether a model whose price nobody knows may be asked, at the most that is assumed. */
    readonly unpricedModels: "refuse" | "allow";
    readonly depthLimit: number;
    readonly depthLimitUnattended: number;
    /** How deep sub-tasks may be nested. */
    readonly subTaskDepth: number;
    readonly approvalExpiry: number;
    readonly firstTokenTimeout: number;
    readonly cascadeTimeout: number;
    readonly shellTimeout: number;
    /** Whether commands that are not known are tried before they ask. */
    readonly trials: boolean;
    /** Folders of programs that commands see, as the owner names them: absolute paths. */
    readonly programFolders: readonly string[];
    /** Tags, in lower case, that make notes private: private notes go to no model or host that is not local. */
    readonly privacyTags: readonly string[];
    /** What Emacs's variables set for every note that does not say otherwise. */
    readonly org: OrgSettings;
    /** Real paths of the files and folders whose entries the agenda shows; empty for all notes. */
    readonly agendaFiles: readonly string[];
    readonly shellOutputLimit: number;
    readonly heartbeatInterval: number;
    /** The rules that choose the models of a turn; empty where all are asked in the order of the cascade. */
    readonly modelRoutes: readonly RouteRule[];
    /** The models that have to agree on a step with critical effects; empty for none. */
    readonly consensusModels: readonly ChosenModel[];
    readonly consensusEffects: readonly ConsensusKind[];
    /** `PROVIDER` or `PROVIDER/MODEL` for jobs of the tier cognition; empty where they ask as all others do. */
    readonly cognitionModel: string;
    /** How the terminal client tells a person who looks elsewhere. */
    readonly notices: "off" | "bell" | "osc9" | "osc777";
    /** Where the terminal client is shown, and what the mouse is for there. */
    readonly screen: { readonly place: "whole" | "main"; readonly mouse: "scroll" | "select" };
    /** From 0 to 1: notes with at least this similarity to the person's words are shown to the model in full. */
    readonly similarityThreshold: number;
    /** Tokens for notes in a prompt. */
    readonly contextBudget: number;
    /** Number of ended turns that the prompt's log counts. */
    readonly logLimit: number;
    /** Names of settings that are set and have no effect. */
    readonly unusedSettings: readonly string[];
    /** Whether a client of the wire that did not prove itself is rejected. */
    readonly enforceProof: boolean;
    /** The owner's vault; locked until its passphrase is given. */
    readonly vault: Vault;
    /** Every value that must never be shown, besides those of the vault: the providers' keys, and values of `.env` whose names say key, token, secret or password. */
    readonly keys: readonly string[];
    /** Settings that could not be parsed, with the value used instead, for the start and for `doctor`. */
    readonly problems: readonly string[];
    /** The names in the settings file that no setting has; `problems` tells them too. */
    readonly unknownNames: readonly UnknownName[];
    /** Every name that was looked for in the environment and the file: these are the settings. */
    readonly settingNames: readonly string[];
  };

/** Providers whose variables are read even if the cascade does not name them, so that `doctor` can suggest them. */
const knownProviders = ["ollama", "llama", "openai", "anthropic", "google", "openrouter", "groq"] as const;

/**
 * Reads the settings from the process's environment and from `.env` of the configuration folder. The process wins, also with an empty variable, which
 * means the default. Settings that cannot be parsed, and names that no setting has, are listed in `problems`. Throws a `SettingsError` where what the owner
 * allows is unknown.
 */
export function loadConfig(processEnvironment: Environment): Config {
  const problems: string[] = [];
  const folders = findUserFolders(processEnvironment);
  const path = join(folders.configuration, ".env");
  const file = readEnvFile(path, problems);
  const values = { ...file, ...withoutUndefined(processEnvironment) };
  const { environment, namesRead } = recordNames(values);
  const read = settingReader(environment, folders.configuration, problems);
  const places = { ...folders, ...findNotesFolders(environment["MEMEX_DIR"], folders.home) };
  const vault = openVault(join(folders.configuration, "vault.json"));
  const { secrets, problems: ofServers, ...servers } = readOwnServers(folders, environment, vault);
  pushAll(problems, ofServers);
  const config = {
    places,
    ...servers,
    vault,
    agendaFiles: readAgendaFiles(read, places, problems),
    programFolders: readProgramFolders(read, places, problems),
    ...readModelSettings(read, environment, { problems, readVault: vault.read }),
    ...readDoorSettings(read, vault),
    ...readAgentSettings(read),
    ...readLimits(read),
    ...readContextSettings(read),
    ...readHabitSettings(read),
    org: readOrgSettings(read),
    unusedSettings: unusedSettings.filter(
      (name) => read<number>(name, settingTable[name]) !== settingTable[name].fallback,
    ),
    keys: [...listSecrets(values, file), ...secrets],
    problems,
  };
  const unknownNames = reportUnknownNames(file, [...namesRead], path);
  pushAll(
    problems,
    unknownNames.map(({ problem }) => problem),
  );
  return { ...config, unknownNames, settingNames: [...namesRead] };
}

/** An environment that records which names are read: these are the settings. */
function recordNames(values: Environment): {
  readonly environment: Environment;
  readonly namesRead: ReadonlySet<string>;
} {
  const namesRead = new Set<string>();
  const environment = new Proxy(values, {
    get(target, name) {
      if (typeof name !== "string") return undefined;
      namesRead.add(name);
      return target[name];
    },
  });
  return { environment, namesRead };
}

type ModelSettings = Pick<
  Config,
  | "cascade"
  | "consensusModels"
  | "consensusEffects"
  | "modelRoutes"
  | "providers"
  | "script"
  | "embedding"
  | "fallbackAnswer"
>;

function readModelSettings(
  read: ReadSetting,
  environment: Environment,
  about: Parameters<typeof readProviderSettings>[2],
): ModelSettings {
  const cascade = read<readonly string[]>("PROVIDER_CASCADE", settingTable.PROVIDER_CASCADE);
  const modelRoutes = read<readonly RouteRule[]>("MODEL_ROUTES", settingTable.MODEL_ROUTES);
  const consensus = read<readonly ChosenModel[]>("CONSENSUS_MODELS", settingTable.CONSENSUS_MODELS);
  pushAll(about.problems, findUnknownModels({ rules: modelRoutes, consensus }, cascade));
  const embedding = read<string>("EMBEDDING_PROVIDER", settingTable.EMBEDDING_PROVIDER);
  const names = [...cascade, ...knownProviders, ...(embedding === "" ? [] : [embedding])];
  const all = new Set([...names, ...describedBeside(names, environment)]);
  const providers = readProviderSettings([...all], environment, about);
  const price = read<number | null>("EMBEDDING_PRICE", settingTable.EMBEDDING_PRICE);
  return {
    cascade,
    modelRoutes,
    consensusModels: consensus,
    consensusEffects: read("CONSENSUS_EFFECTS", settingTable.CONSENSUS_EFFECTS),
    providers,
    script: read("SCRIPTED_PROVIDER_FILE", settingTable.SCRIPTED_PROVIDER_FILE),
    embedding: makeEmbedderSetting(
      providers.find(({ name }) => name === embedding),
      read<string | null>("EMBEDDING_MODEL", settingTable.EMBEDDING_MODEL),
      price,
    ),
    fallbackAnswer: read("FALLBACK_ANSWER", settingTable.FALLBACK_ANSWER),
  };
}

type AgentSettings = Pick<
  Config,
  | "assistant"
  | "silentActuators"
  | "permissions"
  | "mandatorySkills"
  | "privacyTags"
  | "enforceProof"
  | "heartbeatInterval"
  | "cognitionModel"
  | "notices"
  | "screen"
>;

function readAgentSettings(read: ReadSetting): AgentSettings {
  return {
    assistant: read("MEMEX_ASSISTANT", settingTable.MEMEX_ASSISTANT),
    silentActuators: read<readonly string[]>("SILENT_ACTUATORS", settingTable.SILENT_ACTUATORS),
    permissions: read<ReadonlyMap<string, Permission>>("TOOL_PERMISSIONS", settingTable.TOOL_PERMISSIONS),
    mandatorySkills: read<readonly string[]>("MANDATORY_SKILLS", settingTable.MANDATORY_SKILLS),
    privacyTags: read<readonly string[]>("PRIVACY_FILTER_TAGS", settingTable.PRIVACY_FILTER_TAGS),
    enforceProof: read<boolean>("PROTOCOL_ENFORCE_HMAC", settingTable.PROTOCOL_ENFORCE_HMAC),
    cognitionModel: read("COGNITION_MODEL", settingTable.COGNITION_MODEL),
    heartbeatInterval: read("HEARTBEAT_INTERVAL", settingTable.HEARTBEAT_INTERVAL),
    notices: read("NOTICES", settingTable.NOTICES),
    screen: {
      place: read("SCREEN", settingTable.SCREEN),
      mouse: read("MOUSE", settingTable.MOUSE),
    },
  };
}

type Limits = Pick<
  Config,
  | "budgetPerDay"
  | "budgetPerSession"
  | "budgetPerTurn"
  | "atBudgetCap"
  | "unpricedModels"
  | "depthLimit"
  | "depthLimitUnattended"
  | "subTaskDepth"
  | "approvalExpiry"
  | "firstTokenTimeout"
  | "cascadeTimeout"
  | "shellTimeout"
  | "trials"
  | "shellOutputLimit"
>;

function readLimits(read: ReadSetting): Limits {
  return {
    budgetPerDay: read("BUDGET_PER_DAY", settingTable.BUDGET_PER_DAY),
    budgetPerSession: read("BUDGET_PER_SESSION", settingTable.BUDGET_PER_SESSION),
    budgetPerTurn: read("BUDGET_PER_TURN", settingTable.BUDGET_PER_TURN),
    atBudgetCap: read("AT_BUDGET_CAP", settingTable.AT_BUDGET_CAP),
    unpricedModels: read("UNPRICED_MODELS", settingTable.UNPRICED_MODELS),
    depthLimit: read("DEPTH_LIMIT", settingTable.DEPTH_LIMIT),
    depthLimitUnattended: read("DEPTH_LIMIT_UNATTENDED", settingTable.DEPTH_LIMIT_UNATTENDED),
    subTaskDepth: read("SUB_TASK_DEPTH", settingTable.SUB_TASK_DEPTH),
    approvalExpiry: read("APPROVAL_EXPIRY", settingTable.APPROVAL_EXPIRY),
    firstTokenTimeout: read("FIRST_TOKEN_TIMEOUT", settingTable.FIRST_TOKEN_TIMEOUT),
    cascadeTimeout: read("CASCADE_TIMEOUT", settingTable.CASCADE_TIMEOUT),
    shellTimeout: read("SHELL_TIMEOUT", settingTable.SHELL_TIMEOUT),
    trials: read("TRIALS", settingTable.TRIALS),
    shellOutputLimit: read("SHELL_OUTPUT_LIMIT", settingTable.SHELL_OUTPUT_LIMIT),
  };
}

function readContextSettings(
  read: ReadSetting,
): Pick<Config, "similarityThreshold" | "contextBudget" | "logLimit"> {
  return {
    similarityThreshold: read("CONTEXT_SEMANTIC_THRESHOLD", settingTable.CONTEXT_SEMANTIC_THRESHOLD),
    contextBudget: read("CONTEXT_TOKEN_BUDGET", settingTable.CONTEXT_TOKEN_BUDGET),
    logLimit: read("CONTEXT_LOG_LIMIT", settingTable.CONTEXT_LOG_LIMIT),
  };
}

function makeEmbedderSetting(
  provider: ProviderSetting | undefined,
  model: string | null,
  price: number | null,
): EmbedderSetting | null {
  if (provider === undefined) return null;
  const input = price === null ? null : price * 1_000_000;
  const prices =
    input === null ? null : { inputMicrodollarsPerMillion: input, outputMicrodollarsPerMillion: 0 };
  return { provider, model: model === "" ? null : model, prices };
}

function withoutUndefined(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
}
