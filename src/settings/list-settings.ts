import { join } from "node:path";
import { loadConfig } from "./config.ts";
import { isSecretName, readEnvFile } from "./env-file.ts";
import type { Environment } from "./environment.ts";
import { vaultNameIn } from "./read-provider-settings.ts";
import { defaultTextOf } from "./read-setting.ts";
import { settingTable } from "./setting-table.ts";

/** A setting as it counts now: its text, and where that comes from. A key in clear is never in it. */
export type SettingNow = {
  readonly name: string;
  readonly value: string;
  readonly origin: "environment" | "file" | "default";
  /** The settings file, where the value stands there. */
  readonly file: string | null;
};

/** Every setting as it counts now, by name. Variables of providers are in it where they are set. */
export function listSettings(environment: Environment): readonly SettingNow[] {
  const config = loadConfig(environment);
  const path = join(config.places.configuration, ".env");
  const file = readEnvFile(path, []);
  const table = new Map(Object.entries(settingTable).map(([name, one]) => [name, defaultTextOf(one)]));
  const names = new Set([...table.keys(), ...config.settingNames]);
  return [...names].sort().flatMap((name): readonly SettingNow[] => {
    const [given, inFile] = [environment[name], file[name]];
    if (given !== undefined && given !== "")
      return [{ name, value: shownValue(name, given), origin: "environment", file: null }];
    if (given === undefined && inFile !== undefined && inFile !== "")
      return [{ name, value: shownValue(name, inFile), origin: "file", file: path }];
    const value = name === "MEMEX_DIR" ? "~/memex" : table.get(name);
    return value === undefined ? [] : [{ name, value, origin: "default", file: null }];
  });
}

/** The text of a setting for a person: a key in clear is not shown. */
export function shownValue(name: string, value: string): string {
  return isSecretName(name) && vaultNameIn(value) === null ? "(a key)" : value;
}
