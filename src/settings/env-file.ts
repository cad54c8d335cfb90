import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Environment } from "./environment.ts";

/** Reads a `.env` file. A missing file is empty; a line that is not an assignment is reported by its number, never by its text. */
export function readEnvFile(path: string, problems: string[]): Environment {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    problems.push(
      `The settings file ${path} cannot be read (${String(error)}), so none of its settings is used. Correct its owner or mode.`,
    );
    return {};
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#") || /^(export\s+)?[A-Za-z_]\w*\s*=/.test(content)) continue;
    problems.push(`${path}, line ${index + 1} is not NAME=value and is ignored. Correct or remove it.`);
  }
  return parseEnv(text);
}

/** Lists the values that must never be shown: each provider's key, and each value of `.env` whose name ends in key, token, secret or password. */
export function listSecrets(environment: Environment, file: Environment): readonly string[] {
  const keys = Object.entries(environment).filter(([name]) => name.endsWith("_API_KEY"));
  const others = Object.entries(file).filter(([name]) => /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name));
  return [...new Set(keys.concat(others).map(([, value]) => value ?? ""))].filter(
    (value) => value.length >= 8,
  );
}
