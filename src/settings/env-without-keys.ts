import { parseEnv } from "node:util";
import { isSecretName } from "./env-file.ts";
import { vaultNameIn } from "./read-provider-settings.ts";

/** The text of a settings file without what must not be copied, and the names of the settings that were left out. */
export type EnvWithoutKeys = { readonly text: string; readonly omitted: readonly string[] };

/**
 * Takes every key out of the text of a `.env` file: settings whose names say key, token, secret or password, and lines in which `isSecret` finds a secret,
 * comments too. References to the vault stay, and so do all other lines, byte for byte.
 */
export function withoutKeys(text: string, isSecret: (text: string) => boolean): EnvWithoutKeys {
  const kept: string[] = [];
  const omitted: string[] = [];
  for (const block of blocksOf(text)) {
    const [, comment = "", name = ""] = assignment.exec(block) ?? [];
    const value = name === "" ? "" : (parseEnv(block.replace(/^\s*#\s*/, ""))[name] ?? "");
    const isKey = isSecretName(name) && value !== "" && vaultNameIn(value) === null;
    if (!isKey && !isSecret(block)) kept.push(block);
    else if (comment === "" && name !== "") omitted.push(name);
  }
  return { text: kept.join("\n"), omitted: [...new Set(omitted)] };
}

const assignment = /^\s*(#?)\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/;

/** The lines of a file; a value in quotes over several lines is one block. */
function blocksOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    blocks.push(lines.slice(at, end + 1).join("\n"));
    at = end + 1;
  }
  return blocks;
}

function endOfBlock(lines: readonly string[], at: number): number {
  const [, quote, rest = ""] =
    /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*(["'`])(.*)$/s.exec(lines[at] ?? "") ?? [];
  if (quote === undefined || rest.includes(quote)) return at;
  const end = lines.findIndex((line, index) => index > at && line.includes(quote));
  return end === -1 ? at : end;
}
