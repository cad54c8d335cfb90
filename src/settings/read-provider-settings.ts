import { type ProviderSetting, settingsFrom } from "../reason/providers/settings.ts";

/** Prices assumed for the missing half when only input or output is configured. Dollars for a million tokens. */
const assumedInputPrice = 15;
const assumedOutputPrice = 75;

/**
 * Reads each provider's own variables, with `NAME_INPUT_PRICE`, `NAME_OUTPUT_PRICE` (dollars for a million tokens), `NAME_CONTEXT_WINDOW` (tokens) and
 * `NAME_TOOLS` (false for a model without native tool calls).
 */
export function readProviderSettings(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): readonly ProviderSetting[] {
  const variableOf = (name: string, suffix: string): string =>
    `${name.toUpperCase().replaceAll("-", "_")}_${suffix}`;
  const isSet = (name: string, suffix: string): boolean =>
    (environment[variableOf(name, suffix)] ?? "").trim() !== "";
  const number = (name: string, suffix: string): number | null => {
    const variable = variableOf(name, suffix);
    const text = environment[variable];
    if (text === undefined || text.trim() === "") return null;
    if (/^\d+(\.\d+)?$/.test(text.trim())) return Number(text);
    problems.push(`${variable} is not a number of 0 or more and is ignored. Correct it.`);
    return null;
  };
  const tools = (name: string): boolean => {
    const variable = variableOf(name, "TOOLS");
    const word = (environment[variable] ?? "").trim().toLowerCase();
    if (/^(false|0|no)$/.test(word)) return false;
    if (!/^(|true|1|yes)$/.test(word))
      problems.push(`${variable} is neither true nor false and is ignored. Correct it.`);
    return true;
  };
  return settingsFrom(names, environment).map((setting) => {
    const input = number(setting.name, "INPUT_PRICE");
    const output = number(setting.name, "OUTPUT_PRICE");
    const window = number(setting.name, "CONTEXT_WINDOW");
    const priced = ["INPUT_PRICE", "OUTPUT_PRICE"].filter((suffix) => isSet(setting.name, suffix));
    if (priced.length === 1) {
      problems.push(
        `Only ${variableOf(setting.name, priced[0] ?? "")} is set; a high price is assumed for the other. Set both.`,
      );
    }
    const prices = {
      inputMicrodollarsPerMillion: (input ?? assumedInputPrice) * 1_000_000,
      outputMicrodollarsPerMillion: (output ?? assumedOutputPrice) * 1_000_000,
    };
    return {
      ...setting,
      callsTools: tools(setting.name),
      ...(priced.length === 0 ? {} : { prices }),
      ...(window === null || window < 1024 ? {} : { contextWindow: Math.floor(window) }),
    };
  });
}
