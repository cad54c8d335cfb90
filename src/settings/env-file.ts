import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";
import { nearestName } from "../text/nearest-name.ts";
import type { Environment } from "./environment.ts";
import { vaultNameIn } from "./read-provider-settings.ts";
import { securitySettings } from "./setting-table.ts";
import { SettingsError } from "./settings-error.ts";

/** A settings file is a page of lines; what is larger is another file. Bytes. */
const sizeLimit = 1_048_576;

/**
 * Reads a `.env` file. A missing file is empty; a line that is not an assignment is reported by its number, never by its text.
 * Throws a `SettingsError` if the file is there and cannot be read as text, or if a line names a security setting without setting it: what the owner
 * allows is then unknown.
 */
export function readEnvFile(path: string, problems: string[]): Environment {
  const text = readEnvText(path);
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#") || /^(export\s+)?[A-Za-z_]\w*\s*=/.test(content)) continue;
    const place = `${path}, line ${index + 1}`;
    const visible = content.toUpperCase().replace(/[^\x20-\x7e]/g, "");
    const named = securitySettings.find((name) => visible.includes(name));
    if (named !== undefined) {
      throw new SettingsError(
        `${place} names ${named} but is not ${named}=value, so nothing starts: what you allow is unknown. Correct or remove the line.`,
      );
    }
    problems.push(`${place} is not NAME=value and is ignored. Correct or remove it.`);
  }
  return parseEnv(text);
}

/** The text of a settings file; empty where there is none. Throws a `SettingsError` where it cannot be read as text. */
export function readEnvText(path: string): string {
  try {
    if (isMissing(path)) return "";
    const status = statSync(path);
    if (!status.isFile()) throw new Error("it is not a file");
    if (status.size > sizeLimit)
      throw new Error(`it has ${status.size} bytes; at most ${sizeLimit} are read`);
    // The decoder drops a byte order mark, and throws where the bytes are not UTF-8.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    if (text.includes("\0")) throw new Error("it is not UTF-8 text");
    return text;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingsError(
      `The settings file ${path} cannot be used (${why}), so nothing starts: what you allow is unknown. Correct it, or move it away to start with the defaults.`,
      { cause: error },
    );
  }
}

/** False for a link that leads nowhere, here or on the way: what it led to may be on a disk that is not mounted. */
function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const folder = dirname(path);
    if (folder === path) return true;
    if (isMissing(folder)) return true;
    return statSync(folder).isDirectory();
  }
}

/** Whether a setting of this name holds a value that is masked everywhere. */
export function isSecretName(name: string): boolean {
  return /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name);
}

/** Lists the values that must never be shown: each provider's key, and each value of `.env` whose name ends in key, token, secret or password. */
export function listSecrets(environment: Environment, file: Environment): readonly string[] {
  const keys = Object.entries(environment).filter(([name]) => name.endsWith("_API_KEY"));
  const others = Object.entries(file).filter(([name]) => isSecretName(name));
  return [...new Set(keys.concat(others).map(([, value]) => value ?? ""))].filter(
    (value) => value.length >= 8 && vaultNameIn(value) === null,
  );
}

/** A name that no setting has, the setting that was probably meant, and what to tell the owner. */
export type UnknownName = { readonly name: string; readonly near: string | null; readonly problem: string };

/**
 * Reports the names in a settings file that no setting has. A name such as HOUSE_PASSWORD is only reported where it is near the name of a setting: its
 * value is masked everywhere, which may be all that the owner wants of it. The settings of a provider that is described and not in use are not reported.
 */
export function reportUnknownNames(
  file: Environment,
  known: readonly string[],
  path: string,
): readonly UnknownName[] {
  const described = Object.keys(file).flatMap((name) => /^(.+_)BASE_URL$/.exec(name)?.[1] ?? []);
  return Object.keys(file).flatMap((name) => {
    if (known.includes(name) || described.some((prefix) => name.startsWith(prefix))) return [];
    const near = nearestName(name, known);
    if (near === null && isSecretName(name)) return [];
    const question = near === null ? "Correct or remove it." : `Did you mean ${near}?`;
    const problem = `${path} sets ${name}, but no setting has this name, so it has no effect. ${question}`;
    return [{ name, near, problem }];
  });
}
