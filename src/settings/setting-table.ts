import { z } from "zod";
import { type RouteRule, readModel, readRoutes } from "../reason/route/read-routes.ts";
import { ownChannels } from "../signal/actuator.ts";
import type { ChosenModel } from "../signal/chosen-model.ts";
import { type ConsensusKind, consensusKinds } from "../signal/consensus.ts";
import type { Permission } from "../signal/facts.ts";
import { splitPaths } from "./path-list.ts";

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
/** Paths may hold commas, so a colon stands between them. */
const paths = z.string().transform(splitPaths);
/** Tags as Org knows them: https://orgmode.org/manual/Tags.html. */
const tags = list.refine((names) => names.every((name) => /^[\p{L}\p{N}_@#%]+$/u.test(name)), {
  error: "is not a list of Org tags such as @personal,diary",
});
const share = amount.refine((value) => value <= 1, "is not from 0 to 1");
const interval = seconds.refine(
  (value) => value >= 1000 && value <= 86_400_000,
  "is not from 1 to 86400 seconds",
);
/** The schemas of times, which are written in seconds and kept in milliseconds. */
export const schemasInSeconds: ReadonlySet<z.ZodType> = new Set([seconds, interval]);
const count = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,8}$/, "is not a whole number above 0")
  .transform(Number);
const countOrNone = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/, "is not a whole number of 0 or more")
  .transform(Number);
const dayCount = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/, "is not a number of days")
  .transform(Number);
/** A whole number within bounds. */
const within = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, `is not a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `is not a whole number from ${least} to ${most}`);
const depth = count.refine((value) => value <= 2, "is not 1 or 2");
/** What cannot be read may have kept text from a provider, so nothing starts with it. */
const routes = z.string().transform((text, context): readonly RouteRule[] => {
  const read = readRoutes(text);
  if (read.ok) return read.rules;
  context.addIssue({ code: "custom", message: read.problem });
  return z.NEVER;
});
/** What cannot be read may have been to keep a step from running unasked, so nothing starts with it. */
const models = z.string().transform((text, context): readonly ChosenModel[] => {
  const names = text.split(",").map((name) => name.trim());
  const read = names.flatMap((name) => readModel(name) ?? []);
  if (read.length === names.length) return read;
  context.addIssue({ code: "custom", message: "is not a list such as ollama,anthropic/claude-opus-5-5" });
  return z.NEVER;
});
const criticalKinds = list.transform((words, context): readonly ConsensusKind[] => {
  const kinds = consensusKinds.filter((kind) => words.includes(kind));
  if (kinds.length === words.length) return kinds;
  context.addIssue({ code: "custom", message: `is not a list of ${consensusKinds.join(", ")}` });
  return z.NEVER;
});
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

/** The name of a channel that reaches a person. */
export function channelSchema(channels: readonly string[]) {
  return z
    .string()
    .trim()
    .toLowerCase()
    .refine((name) => channels.includes(name), { error: `is not one of ${channels.join(", ")}` });
}

/**
 * The settings other than folders and providers, with their defaults. `strict` is the value of a security setting that cannot be parsed; where it is null
 * no value is strict enough, and nothing starts.
 */
export const settingTable = {
  MEMEX_ASSISTANT: { schema: z.string().trim().min(1).max(80), fallback: "Agent" },
  DEFAULT_ACTUATOR: { schema: channelSchema(ownChannels), fallback: "cli" },
  TRANSCRIBE_COMMAND: { schema: z.string().trim().max(2000).nullable(), fallback: null },
  TELEGRAM_ADDRESS: {
    schema: z
      .string()
      .regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, "is for tests, and is not http://127.0.0.1:PORT")
      .nullable(),
    fallback: null,
  },
  QUESTIONS_ON_LOCK_SCREEN: { schema: truth, fallback: false, strict: false },
  SILENT_ACTUATORS: { schema: list, fallback: ["cli", "system-message", "emacs"] },
  PROVIDER_CASCADE: { schema: list, fallback: [] },
  MODEL_ROUTES: { schema: routes, fallback: [], strict: null },
  CONSENSUS_MODELS: { schema: models, fallback: [], strict: null },
  CONSENSUS_EFFECTS: { schema: criticalKinds, fallback: consensusKinds, strict: consensusKinds },
  COGNITION_MODEL: { schema: z.string().trim(), fallback: "" },
  TOOL_PERMISSIONS: { schema: permissionList, fallback: new Map(), strict: new Map([["*", "ask" as const]]) },
  MANDATORY_SKILLS: { schema: list, fallback: [], strict: null },
  FALLBACK_ANSWER: { schema: z.string().nullable(), fallback: null },
  SCRIPTED_PROVIDER_FILE: { schema: z.string().nullable(), fallback: null },
  EMBEDDING_PROVIDER: { schema: z.string().trim().toLowerCase(), fallback: "" },
  EMBEDDING_MODEL: { schema: z.string().trim().nullable(), fallback: null },
  EMBEDDING_PRICE: { schema: amount.nullable(), fallback: null },
  BUDGET_PER_DAY: { schema: amount, fallback: 10, strict: 0 },
  BUDGET_PER_SESSION: { schema: amount, fallback: 5, strict: 0 },
  BUDGET_PER_TURN: { schema: amount, fallback: 2, strict: 0 },
  AT_BUDGET_CAP: {
    schema: z.enum(["ask", "reflex"], { error: "is neither ask nor reflex" }),
    fallback: "ask" as const,
  },
  UNPRICED_MODELS: {
    schema: z.enum(["refuse", "allow"], { error: "is neither refuse nor allow" }),
    fallback: "refuse" as const,
    strict: "refuse" as const,
  },
  DEPTH_LIMIT: { schema: count, fallback: 50, strict: 10 },
  DEPTH_LIMIT_UNATTENDED: { schema: count, fallback: 10, strict: 10 },
  SUB_TASK_DEPTH: { schema: depth, fallback: 1, strict: 1 },
  APPROVAL_EXPIRY: { schema: seconds, fallback: 86_400_000, strict: 60_000 },
  FIRST_TOKEN_TIMEOUT: { schema: seconds, fallback: 60_000 },
  CASCADE_TIMEOUT: { schema: seconds, fallback: 120_000 },
  TRIALS: { schema: truth, fallback: true, strict: false },
  PROGRAM_FOLDERS: { schema: paths, fallback: [], strict: [] },
  SHELL_TIMEOUT: { schema: seconds, fallback: 30_000 },
  PROTOCOL_ENFORCE_HMAC: { schema: truth, fallback: true, strict: true },
  HEARTBEAT_INTERVAL: { schema: interval, fallback: 60_000 },
  MEMORY_AUTO_SAVE_INTERVAL: { schema: interval, fallback: 300_000 },
  DAEMON_SLEEP_INTERVAL: { schema: interval, fallback: 3_600_000 },
  SHELL_OUTPUT_LIMIT: { schema: count, fallback: 100_000 },
  PRIVACY_FILTER_TAGS: { schema: tags, fallback: ["@personal"], strict: null },
  ORG_AGENDA_FILES: { schema: paths, fallback: [] },
  NOTICES: {
    schema: z.enum(["off", "bell", "osc9", "osc777"], { error: "is none of off, bell, osc9, osc777" }),
    fallback: "bell" as const,
  },
  SCREEN: {
    schema: z.enum(["whole", "main"], { error: "is neither whole nor main" }),
    fallback: "whole" as const,
  },
  MOUSE: {
    schema: z.enum(["scroll", "select"], { error: "is neither scroll nor select" }),
    fallback: "scroll" as const,
  },
  CONTEXT_SEMANTIC_THRESHOLD: { schema: share, fallback: 0.25 },
  CONTEXT_TOKEN_BUDGET: { schema: count, fallback: 2000 },
  ARCHIVE_AFTER: { schema: dayCount, fallback: 0 },
  SCRIBE_HOUR: { schema: within(0, 23), fallback: 21 },
  SCRIBE_PROPOSALS: { schema: within(1, 1000), fallback: 100 },
  REVIEW_LIMIT: { schema: within(1, 1000), fallback: 50 },
  STALE_TODO_AFTER: { schema: dayCount, fallback: 180 },
  SUB_TASKS_AT_ONCE: { schema: within(1, 8), fallback: 3 },
  REPEAT_LIMIT: { schema: within(2, 20), fallback: 4, strict: 2 },
  DENIAL_LIMIT: { schema: within(1, 20), fallback: 3, strict: 1 },
  REFLEX_AFTER: { schema: countOrNone, fallback: 5 },
  REFLEX_TRIALS: { schema: count, fallback: 3 },
  CONTEXT_LOG_LIMIT: { schema: count, fallback: 20 },
} as const;

/** Names of the settings that decide what the agent may do. */
export const securitySettings: readonly string[] = Object.entries(settingTable).flatMap(
  ([name, definition]) => ("strict" in definition ? [name] : []),
);

/** Settings of the Lisp system that are accepted and have no effect. */
export const unusedSettings = ["MEMORY_AUTO_SAVE_INTERVAL", "DAEMON_SLEEP_INTERVAL"] as const;
