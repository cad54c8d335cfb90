import type { z } from "zod";
import type { Environment } from "./environment.ts";
import { schemasInSeconds } from "./setting-table.ts";
import { SettingsError } from "./settings-error.ts";

/** How a setting is parsed, and its default. `strict` is the value of a security setting that cannot be parsed; null if nothing may start then. */
export type SettingDefinition<T> = {
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  readonly strict?: T | null;
};

/** Reads a setting by its name. */
export type ReadSetting = <T>(name: string, definition: SettingDefinition<T>) => T;

/** Makes a reader over the environment. A value that cannot be parsed is reported in `problems`, and its default or strict value is used. */
export function settingReader(
  environment: Environment,
  configuration: string,
  problems: string[],
): ReadSetting {
  return (name, { schema, fallback, strict }) => {
    const text = environment[name];
    if (text === undefined || text === "") return fallback;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    const why = parsed.error.issues[0]?.message ?? "cannot be parsed";
    const where = `Correct it in the environment or in ${configuration}/.env.`;
    if (strict === null) {
      throw new SettingsError(`${name} ${why}, so nothing starts: what you allow is unknown. ${where}`);
    }
    const used = strict ?? fallback;
    const shown = schemasInSeconds.has(schema) ? Number(used) / 1000 : used;
    problems.push(`${name} ${why}; ${formatValue(shown)} is used. ${where}`);
    return used;
  };
}

/** The default of a setting as its owner would write it. */
export function defaultTextOf({ schema, fallback }: SettingDefinition<unknown>): string {
  const value = schemasInSeconds.has(schema) ? Number(fallback) / 1000 : (fallback ?? "");
  if (value instanceof Map) return [...value].map(([key, word]) => `${key}=${word}`).join(",");
  return Array.isArray(value) ? value.join(",") : String(value);
}

function formatValue(value: unknown): string {
  if (value instanceof Map) return [...value].map(([key, word]) => `${key}=${word}`).join(",") || "nothing";
  return Array.isArray(value) ? value.join(",") || "nothing" : String(value);
}
