import { type Effort, efforts } from "../reason/model/effort.ts";
import { variableOf } from "../reason/model/setting-name.ts";
import { type ProviderSetting, settingsFrom, type VaultKey } from "../reason/providers/settings.ts";
import { type InputKind, inputKinds } from "../signal/attachment.ts";

/**
 * Reads each provider's own variables, with `NAME_INPUT_PRICE`, `NAME_OUTPUT_PRICE`, `NAME_CACHE_READ_PRICE`, `NAME_CACHE_WRITE_PRICE` (dollars for a million tokens),
 * `NAME_CONTEXT_WINDOW`, `NAME_MAX_OUTPUT` (tokens), `NAME_INPUTS` (what models take beside text),
 * `NAME_TOOLS` (false for a model without native tool calls), `NAME_EFFORT` (how much models think) and
 * `NAME_THINKING_IN_TEXT` (whether thinking is looked for in the text of the answer).
 */
export function readProviderSettings(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { problems, readVault }: { readonly problems: string[]; readonly readVault: ReadVault },
): readonly ProviderSetting[] {
  const number = (name: string, suffix: string, least = 0): number | null => {
    const variable = variableOf(name, suffix);
    const text = (environment[variable] ?? "").trim();
    if (text === "") return null;
    if (/^\d+(\.\d+)?$/.test(text) && Number(text) >= least) return Number(text);
    problems.push(`${variable} is not a number of ${least} or more and is ignored. Correct it.`);
    return null;
  };
  const truth = (name: string, suffix: string): boolean | null => {
    const variable = variableOf(name, suffix);
    const word = (environment[variable] ?? "").trim().toLowerCase();
    if (word === "") return null;
    if (/^(false|0|no)$/.test(word)) return false;
    if (/^(true|1|yes)$/.test(word)) return true;
    problems.push(`${variable} is neither true nor false and is ignored. Correct it.`);
    return null;
  };
  return settingsFrom(names, environment).map((setting) => {
    const prices = Object.fromEntries(
      priceVariables.flatMap(([suffix, key]) => {
        const dollars = number(setting.name, suffix);
        return dollars === null ? [] : [[key, dollars * 1_000_000] as const];
      }),
    );
    const thinking = truth(setting.name, "THINKING_IN_TEXT");
    const local = truth(setting.name, "LOCAL");
    const window = number(setting.name, "CONTEXT_WINDOW", 1024);
    const output = number(setting.name, "MAX_OUTPUT", 256);
    const effort = readEffort(variableOf(setting.name, "EFFORT"), environment, problems);
    const inputs = readInputs(variableOf(setting.name, "INPUTS"), environment, problems);
    return {
      ...withVaultKey(setting, { problems, readVault }),
      callsTools: truth(setting.name, "TOOLS") ?? true,
      ...(inputs === null ? {} : { inputs }),
      ...(effort === null ? {} : { effort }),
      ...(local === null ? {} : { local }),
      ...(thinking === null ? {} : { writesThinking: thinking }),
      ...(Object.keys(prices).length === 0 ? {} : { prices }),
      ...(window === null ? {} : { contextWindow: Math.floor(window) }),
      ...(output === null ? {} : { maxOutputTokens: Math.floor(output) }),
    };
  });
}

/**
 * The providers beside the named ones that have an address, so that they can be put into the order later:
 * `my-own` for `MY_OWN_BASE_URL`.
 */
export function describedBeside(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const known = new Set(names.map((name) => variableOf(name, "BASE_URL")));
  // By their names: whatever is read of the environment counts as a setting that there is.
  return Object.keys(environment)
    .filter((variable) => /^[A-Z][A-Z0-9_]*_BASE_URL$/.test(variable) && !known.has(variable))
    .filter((variable) => (environment[variable] ?? "").trim() !== "")
    .map((variable) =>
      variable
        .replace(/_BASE_URL$/, "")
        .toLowerCase()
        .replaceAll("_", "-"),
    );
}

/** Reads what models take beside text, such as `picture, pdf`; `none` is nothing of it. */
function readInputs(
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): readonly InputKind[] | null {
  const words = (environment[variable] ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const kinds = inputKinds.filter((kind) => words.includes(kind));
  if (kinds.length === words.length || words.join() === "none") return kinds;
  problems.push(`${variable} is not \`picture\`, \`pdf\`, both or \`none\` and is ignored. Correct it.`);
  return null;
}

/** Reads how much models think; null for the provider's own default. */
function readEffort(
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Effort | null {
  const word = (environment[variable] ?? "").trim().toLowerCase();
  const effort = efforts.find((one) => one === word) ?? null;
  if (word !== "" && effort === null)
    problems.push(`${variable} is not \`off\`, \`low\`, \`medium\` or \`high\` and is ignored. Correct it.`);
  return effort;
}

/** Reads a value of the vault by its name. */
export type ReadVault = (name: string) => ReturnType<VaultKey["read"]>;

/** A key that is written as `vault:NAME` is the value of that name. */
function withVaultKey(
  setting: ProviderSetting,
  { problems, readVault }: Parameters<typeof readProviderSettings>[2],
): ProviderSetting {
  const name = vaultNameIn(setting.apiKey ?? "");
  if (name === null) return setting;
  if (name === "") {
    const variable = variableOf(setting.name, "API_KEY");
    problems.push(`${variable} is vault: without the name of a value, so there is no key. Write vault:NAME.`);
    return { ...setting, apiKey: null };
  }
  return { ...setting, apiKey: null, vaultKey: { name, read: () => readVault(name) } };
}

/** The name in a setting that is `vault:NAME`; null for any other text. */
export function vaultNameIn(text: string): string | null {
  return /^vault:(.*)$/s.exec(text.trim())?.[1]?.trim() ?? null;
}

const priceVariables = [
  ["INPUT_PRICE", "inputMicrodollarsPerMillion"],
  ["OUTPUT_PRICE", "outputMicrodollarsPerMillion"],
  ["CACHE_READ_PRICE", "cacheReadMicrodollarsPerMillion"],
  ["CACHE_WRITE_PRICE", "cacheWriteMicrodollarsPerMillion"],
] as const;
