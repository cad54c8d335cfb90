import { join } from "node:path";
import { nearestName } from "../text/nearest-name.ts";
import { type Config, loadConfig } from "./config.ts";
import { changeEnvFile } from "./edit-env-file.ts";
import { formatSetting } from "./edit-env-text.ts";
import { isSecretName, readEnvFile } from "./env-file.ts";
import type { Environment } from "./environment.ts";
import { listSettings, shownValue } from "./list-settings.ts";
import { vaultNameIn } from "./read-provider-settings.ts";
import { settingTable } from "./setting-table.ts";
import { SettingsError } from "./settings-error.ts";

/** A change of one setting in the settings file, to be shown before it is made; or why it is refused, and what to do. */
export type SettingChange =
  | {
      readonly ok: true;
      readonly path: string;
      readonly lines: readonly string[];
      /** What keeps it from having its effect; null if nothing does. */
      readonly warning: string | null;
      /** Whether it may loosen what is asked, sent or spent, or moves where things are kept: all but what only changes looks, sizes and times. */
      readonly mayLoosen: boolean;
      /** Its text before, as it counts: the file's, else the default. */
      readonly before: string;
      /** Why the agent may not propose it, and its owner types it; null where it may. */
      readonly ownersAlone: string | null;
      readonly make: () => Promise<void>;
    }
  | { readonly ok: false; readonly reason: string };

/** Prepares a change; null takes the setting out of the file. Nothing is written before `make`. */
export function prepareSetting(environment: Environment, name: string, value: string | null): SettingChange {
  const config = loadConfig(environment);
  const problem = value === null ? null : findProblem({ environment, config, name, value });
  if (problem !== null) return { ok: false, reason: `${problem} Nothing was written.` };
  const path = join(config.places.configuration, ".env");
  const before = readEnvFile(path, [])[name];
  const lines =
    (before ?? null) === value
      ? []
      : [
          ...(before === undefined ? [] : [`− ${name}=${shownValue(name, before)}`]),
          ...(value === null ? [] : [`+ ${formatSetting(name, value)}`]),
        ];
  const isOverruled = environment[name] !== undefined && environment[name] !== value;
  const warning = isOverruled
    ? `${name} is set in this shell too, to another value, which wins over the file. Take it out there.`
    : null;
  const make = (): Promise<void> => changeEnvFile(path, new Map([[name, value]]));
  const now = listSettings(environment).find((one) => one.name === name)?.value ?? "";
  const ownersAlone = whyOwnersAlone(name, value, [now, ...(before === undefined ? [] : [before])]);
  return {
    ok: true,
    path,
    lines,
    warning,
    mayLoosen: !harmless.has(name),
    before: before === undefined ? now : shownValue(name, before),
    ownersAlone,
    make,
  };
}

/** Settings that change looks, sizes and times alone. */
const harmless: ReadonlySet<string> = new Set([
  "MEMEX_ASSISTANT",
  "NOTICES",
  "FALLBACK_ANSWER",
  "FIRST_TOKEN_TIMEOUT",
  "CASCADE_TIMEOUT",
  "SHELL_OUTPUT_LIMIT",
  "CONTEXT_SEMANTIC_THRESHOLD",
  "CONTEXT_TOKEN_BUDGET",
  "CONTEXT_LOG_LIMIT",
  "ARCHIVE_AFTER",
  "REFLEX_AFTER",
  "REFLEX_TRIALS",
  "ORG_AGENDA_FILES",
  "SCRIBE_HOUR",
  "SCRIBE_PROPOSALS",
  "REVIEW_LIMIT",
  "STALE_TODO_AFTER",
  "SUB_TASKS_AT_ONCE",
]);

/** Settings that the agent may propose beside those: they change neither what is asked nor what is sent, and cost nothing. */
const proposable: ReadonlySet<string> = new Set([
  "AT_BUDGET_CAP",
  "SHELL_TIMEOUT",
  "HEARTBEAT_INTERVAL",
  "SCREEN",
  "MOUSE",
]);

/** A setting of protection is only tightened by the agent: what is a number, to a smaller one. `before`: what counts now, and what the file says. */
function whyOwnersAlone(name: string, value: string | null, before: readonly string[]): string | null {
  if (harmless.has(name) || proposable.has(name)) return null;
  const line = value === null ? `/config unset ${name}` : `/config set ${name} ${value}`;
  const typed = `Its owner types it: ${line}.`;
  const table = new Map<string, object>(Object.entries(settingTable));
  const definition = table.get(name) ?? {};
  const isNumber = "strict" in definition && typeof definition.strict === "number";
  if (!isNumber) return `${name} decides what is allowed, sent or kept. ${typed}`;
  const tightens = value !== null && before.every((one) => Number(value) <= Number(one));
  return tightens ? null : `${name} is only lowered by the agent. ${typed}`;
}

function findProblem(asked: {
  readonly environment: Environment;
  readonly config: Config;
  readonly name: string;
  readonly value: string;
}): string | null {
  const { environment, config, name, value } = asked;
  if (!config.settingNames.includes(name)) {
    const near = nearestName(name, config.settingNames);
    const what = near === null ? "passepartout config list shows them." : `Did you mean ${near}?`;
    return `No setting is named ${name}. ${what}`;
  }
  if (isSecretName(name) && vaultNameIn(value) === null) {
    const key = name
      .toLowerCase()
      .replace(/_api_key$/, "-key")
      .replaceAll("_", "-");
    return `A key stands in no file in clear. Keep it in the vault: passepartout vault set ${key}. Then: passepartout config set ${name} vault:${key}.`;
  }
  try {
    const known = new Set(config.problems);
    const after = loadConfig({ ...environment, [name]: value });
    return after.problems.find((problem) => !known.has(problem)) ?? null;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}
