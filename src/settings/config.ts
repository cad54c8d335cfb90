import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import type { EmbedderSetting } from "../reason/providers/embedding.ts";
import type { ProviderSetting } from "../reason/providers/settings.ts";
import type { Permission } from "../signal/facts.ts";
import { readProviderSettings } from "./read-provider-settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where things are: real XDG folders of this user. */
export type UserFolders = {
  readonly home: string;
  readonly configuration: string;
  readonly state: string;
  readonly runtime: string;
  readonly notes: string;
};

/** Everything that can be set, parsed once. Times are milliseconds, money is dollars. */
export type Config = {
  readonly places: UserFolders;
  readonly assistant: string;
  readonly defaultActuator: string;
  readonly silentActuators: readonly string[];
  readonly cascade: readonly string[];
  readonly providers: readonly ProviderSetting[];
  readonly script: string | null;
  /** Who turns notes into vectors; null where nobody does. */
  readonly embedding: EmbedderSetting | null;
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly fallbackAnswer: string | null;
  readonly budgetPerDay: number;
  readonly budgetPerSession: number;
  readonly depthLimit: number;
  readonly depthLimitUnattended: number;
  readonly approvalExpiry: number;
  readonly firstTokenTimeout: number;
  readonly cascadeTimeout: number;
  readonly shellTimeout: number;
  /** Tags, in lower case, under which notes are private: they go to no model or host that is not local. */
  readonly privacyTags: readonly string[];
  readonly shellOutputLimit: number;
  readonly heartbeatInterval: number;
  /** From 0 to 1: notes at least so near to the person's words are shown to the model in full. */
  readonly similarityThreshold: number;
  /** Tokens for notes in a prompt. */
  readonly contextBudget: number;
  /** How many endings of turns are counted in the prompt's log. */
  readonly logLimit: number;
  /** Settings of the reference that are accepted and have nothing left to do. */
  readonly idleSettings: readonly string[];
  /** Whether a client of the wire that did not prove itself is turned away. */
  readonly enforceProof: boolean;
  /** Every value that must never be seen: the providers' keys and what `.env` names a key, token, secret or password. */
  readonly keys: readonly string[];
  /** What did not parse, and what was used instead; for the start and for `doctor`. */
  readonly problems: readonly string[];
};

const messageActuators = ["cli", "tui", "emacs", "telegram", "signal"] as const;
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== ""),
);
const amount = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?$/, "is not a number of 0 or more")
  .transform(Number);
const seconds = amount.transform((value) => value * 1000);
const share = amount.refine((value) => value <= 1, "is not from 0 to 1");
const interval = seconds.refine(
  (value) => value >= 1000 && value <= 86_400_000,
  "is not from 1 to 86400 seconds",
);
/** The schemas of times, which are written in seconds and kept in milliseconds. */
const inSeconds: ReadonlySet<z.ZodType> = new Set([seconds, interval]);
const count = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,8}$/, "is not a whole number above 0")
  .transform(Number);
const truth = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => /^(true|false|1|0|yes|no)$/.test(text), "is neither true nor false")
  .transform((text) => /^(true|1|yes)$/.test(text));
const permissionList = z
  .string()
  .regex(
    /^\s*([\w-]+\s*=\s*(allow|ask|deny)\s*(,|$)\s*)*$/i,
    "is not a list such as shell=ask,fetch-url=deny",
  )
  .transform(
    (text) =>
      new Map(
        [...text.matchAll(/([\w-]+)\s*=\s*(allow|ask|deny)/gi)].map(
          ([, tool = "", word = ""]) => [tool.toLowerCase(), word.toLowerCase() as Permission] as const,
        ),
      ),
  );

/** The settings that are not folders or providers. `strict` is what a security setting falls back to where it does not parse. */
const settings = {
  MEMEX_ASSISTANT: { schema: z.string().trim().min(1).max(80), fallback: "Agent" },
  DEFAULT_ACTUATOR: {
    schema: z
      .string()
      .trim()
      .toLowerCase()
      .refine((name) => messageActuators.some((known) => known === name), {
        error: `is not one of ${messageActuators.join(", ")}`,
      }),
    fallback: "cli",
  },
  SILENT_ACTUATORS: { schema: list, fallback: ["cli", "system-message", "emacs"] },
  PROVIDER_CASCADE: { schema: list, fallback: [] },
  TOOL_PERMISSIONS: { schema: permissionList, fallback: new Map(), strict: new Map([["*", "ask" as const]]) },
  FALLBACK_ANSWER: { schema: z.string().nullable(), fallback: null },
  SCRIPTED_PROVIDER_FILE: { schema: z.string().nullable(), fallback: null },
  EMBEDDING_PROVIDER: { schema: z.string().trim().toLowerCase(), fallback: "" },
  EMBEDDING_MODEL: { schema: z.string().trim().nullable(), fallback: null },
  EMBEDDING_PRICE: { schema: amount.nullable(), fallback: null },
  BUDGET_PER_DAY: { schema: amount, fallback: 10, strict: 0 },
  BUDGET_PER_SESSION: { schema: amount, fallback: 5, strict: 0 },
  DEPTH_LIMIT: { schema: count, fallback: 50, strict: 10 },
  DEPTH_LIMIT_UNATTENDED: { schema: count, fallback: 10, strict: 10 },
  APPROVAL_EXPIRY: { schema: seconds, fallback: 86_400_000, strict: 60_000 },
  FIRST_TOKEN_TIMEOUT: { schema: seconds, fallback: 60_000 },
  CASCADE_TIMEOUT: { schema: seconds, fallback: 120_000 },
  SHELL_TIMEOUT: { schema: seconds, fallback: 30_000 },
  PROTOCOL_ENFORCE_HMAC: { schema: truth, fallback: true, strict: true },
  HEARTBEAT_INTERVAL: { schema: interval, fallback: 60_000 },
  MEMORY_AUTO_SAVE_INTERVAL: { schema: interval, fallback: 300_000 },
  DAEMON_SLEEP_INTERVAL: { schema: interval, fallback: 3_600_000 },
  SHELL_OUTPUT_LIMIT: { schema: count, fallback: 100_000 },
  PRIVACY_FILTER_TAGS: { schema: list, fallback: ["@personal"] },
  CONTEXT_SEMANTIC_THRESHOLD: { schema: share, fallback: 0.75 },
  CONTEXT_TOKEN_BUDGET: { schema: count, fallback: 2000 },
  CONTEXT_LOG_LIMIT: { schema: count, fallback: 20 },
} as const;

const idle = ["MEMORY_AUTO_SAVE_INTERVAL", "DAEMON_SLEEP_INTERVAL"] as const;

/** The providers whose variables are read even where the cascade does not name them, so that `doctor` can tell. */
const knownProviders = ["ollama", "llama", "openai", "anthropic", "google", "openrouter", "groq"] as const;

/** Reads the process's environment and `.env` of the configuration folder; the process wins, with an empty variable too, which means the default. Never throws: what is wrong is in `problems`. */
export function loadConfig(process: Environment): Config {
  const problems: string[] = [];
  const home = absolute(process["HOME"]) ?? homedir();
  const folder = (name: string, fallback: string): string =>
    join(absolute(process[name]) ?? join(home, fallback), "passepartout");
  const configuration = folder("XDG_CONFIG_HOME", ".config");
  const state = folder("XDG_STATE_HOME", ".local/state");
  const file = readEnvFile(join(configuration, ".env"), problems);
  const environment: Environment = { ...file, ...present(process) };
  const read = <T>(
    name: string,
    setting: { readonly schema: z.ZodType<T>; readonly fallback: T; readonly strict?: T },
  ): T => {
    const text = environment[name];
    if (text === undefined || text === "") return setting.fallback;
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) return parsed.data;
    const used = setting.strict ?? setting.fallback;
    const why = parsed.error.issues[0]?.message ?? "does not parse";
    const shown = inSeconds.has(setting.schema) ? Number(used) / 1000 : used;
    problems.push(
      `${name} ${why}; ${show(shown)} is used. Correct it in the environment or in ${configuration}/.env.`,
    );
    return used;
  };
  const cascade = read<readonly string[]>("PROVIDER_CASCADE", settings.PROVIDER_CASCADE);
  const embedding = read<string>("EMBEDDING_PROVIDER", settings.EMBEDDING_PROVIDER);
  const wanted = new Set([...cascade, ...knownProviders, ...(embedding === "" ? [] : [embedding])]);
  const providers = readProviderSettings([...wanted], environment, problems);
  const price = read<number | null>("EMBEDDING_PRICE", settings.EMBEDDING_PRICE);
  return {
    places: {
      home,
      configuration,
      state,
      runtime: isFolder(process["XDG_RUNTIME_DIR"]) ? folder("XDG_RUNTIME_DIR", "") : join(state, "run"),
      notes: notesFolder(environment["MEMEX_DIR"], home),
    },
    assistant: read("MEMEX_ASSISTANT", settings.MEMEX_ASSISTANT),
    defaultActuator: read("DEFAULT_ACTUATOR", settings.DEFAULT_ACTUATOR),
    silentActuators: read<readonly string[]>("SILENT_ACTUATORS", settings.SILENT_ACTUATORS),
    cascade,
    providers,
    script: read("SCRIPTED_PROVIDER_FILE", settings.SCRIPTED_PROVIDER_FILE),
    embedding: embeddingOf(
      providers.find(({ name }) => name === embedding),
      read<string | null>("EMBEDDING_MODEL", settings.EMBEDDING_MODEL),
      price,
    ),
    permissions: read<ReadonlyMap<string, Permission>>("TOOL_PERMISSIONS", settings.TOOL_PERMISSIONS),
    fallbackAnswer: read("FALLBACK_ANSWER", settings.FALLBACK_ANSWER),
    budgetPerDay: read("BUDGET_PER_DAY", settings.BUDGET_PER_DAY),
    budgetPerSession: read("BUDGET_PER_SESSION", settings.BUDGET_PER_SESSION),
    depthLimit: read("DEPTH_LIMIT", settings.DEPTH_LIMIT),
    depthLimitUnattended: read("DEPTH_LIMIT_UNATTENDED", settings.DEPTH_LIMIT_UNATTENDED),
    approvalExpiry: read("APPROVAL_EXPIRY", settings.APPROVAL_EXPIRY),
    firstTokenTimeout: read("FIRST_TOKEN_TIMEOUT", settings.FIRST_TOKEN_TIMEOUT),
    cascadeTimeout: read("CASCADE_TIMEOUT", settings.CASCADE_TIMEOUT),
    shellTimeout: read("SHELL_TIMEOUT", settings.SHELL_TIMEOUT),
    privacyTags: read<readonly string[]>("PRIVACY_FILTER_TAGS", settings.PRIVACY_FILTER_TAGS),
    enforceProof: read<boolean>("PROTOCOL_ENFORCE_HMAC", settings.PROTOCOL_ENFORCE_HMAC),
    heartbeatInterval: read("HEARTBEAT_INTERVAL", settings.HEARTBEAT_INTERVAL),
    similarityThreshold: read("CONTEXT_SEMANTIC_THRESHOLD", settings.CONTEXT_SEMANTIC_THRESHOLD),
    contextBudget: read("CONTEXT_TOKEN_BUDGET", settings.CONTEXT_TOKEN_BUDGET),
    logLimit: read("CONTEXT_LOG_LIMIT", settings.CONTEXT_LOG_LIMIT),
    idleSettings: idle.filter((name) => read<number>(name, settings[name]) !== settings[name].fallback),
    shellOutputLimit: read("SHELL_OUTPUT_LIMIT", settings.SHELL_OUTPUT_LIMIT),
    keys: keysOf(environment, file),
    problems,
  };
}

function embeddingOf(
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

/** A runtime folder that is named but not there, as in many containers, is none. */
function isFolder(path: string | undefined): boolean {
  const folder = absolute(path);
  return folder !== null && (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? resolve(path) : null;
}

function present(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
}

function show(value: unknown): string {
  if (value instanceof Map) return [...value].map(([key, word]) => `${key}=${word}`).join(",") || "nothing";
  return Array.isArray(value) ? value.join(",") || "nothing" : String(value);
}

function notesFolder(setting: string | undefined, home: string): string {
  if (setting === undefined || setting === "") return join(home, "memex");
  if (setting === "~" || setting.startsWith("~/")) return join(home, setting.slice(1));
  return resolve(home, setting);
}

/** Reads `.env`. A missing file is fine; a line that is no assignment is named by its number, never by its text. */
function readEnvFile(path: string, problems: string[]): Environment {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    problems.push(`${path} cannot be read (${String(error)}); nothing of it is used.`);
    return {};
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#") || /^(export\s+)?[A-Za-z_]\w*\s*=/.test(content)) continue;
    problems.push(`${path}, line ${index + 1} is not NAME=value and is not used. Correct or remove it.`);
  }
  return parseEnv(text);
}

function keysOf(environment: Environment, file: Environment): readonly string[] {
  const named = Object.entries(environment).filter(([name]) => name.endsWith("_API_KEY"));
  const filed = Object.entries(file).filter(([name]) => /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name));
  return [...new Set([...named, ...filed].map(([, value]) => value ?? ""))].filter(
    (value) => value.length >= 8,
  );
}
