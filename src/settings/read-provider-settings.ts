import { type ProviderSetting, settingsFrom } from "../reason/providers/settings.ts";

/** What a price counts as that is not set, or does not parse, beside one that is. Dollars for a million tokens. */
const dearInput = 15;
const dearOutput = 75;

/** Each provider's own variables, with `NAME_INPUT_PRICE`, `NAME_OUTPUT_PRICE` (dollars for a million tokens) and `NAME_CONTEXT_WINDOW` (tokens). */
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
    problems.push(`${variable} is not a number of 0 or more and is not used. Correct it.`);
    return null;
  };
  return settingsFrom(names, environment).map((setting) => {
    const input = number(setting.name, "INPUT_PRICE");
    const output = number(setting.name, "OUTPUT_PRICE");
    const window = number(setting.name, "CONTEXT_WINDOW");
    const priced = ["INPUT_PRICE", "OUTPUT_PRICE"].filter((suffix) => isSet(setting.name, suffix));
    if (priced.length === 1) {
      problems.push(
        `Of the prices of ${setting.name} only ${priced[0]} is set; a high one is used for the other. Set both.`,
      );
    }
    const prices = {
      inputMicrodollarsPerMillion: (input ?? dearInput) * 1_000_000,
      outputMicrodollarsPerMillion: (output ?? dearOutput) * 1_000_000,
    };
    return {
      ...setting,
      ...(priced.length === 0 ? {} : { prices }),
      ...(window === null || window < 1024 ? {} : { contextWindow: Math.floor(window) }),
    };
  });
}
