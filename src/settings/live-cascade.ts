import { join } from "node:path";
import type { Config } from "./config.ts";
import { readEnvFile } from "./env-file.ts";
import type { Environment } from "./environment.ts";
import { settingReader } from "./read-setting.ts";
import { versionOfFile } from "./replace-file.ts";
import { settingTable } from "./setting-table.ts";
import { SettingsError } from "./settings-error.ts";

/** The order in which providers are asked now. */
export type CascadeNow = {
  readonly order: readonly string[];
  /** What of the setting does not count, in a sentence; null where all of it does. */
  readonly problem: string | null;
  /** The providers that can be asked without a new start: those of the first order, and others that the owner described. */
  readonly usable: ReadonlySet<string>;
  /** The providers that may be asked: those of each order since the start, since turns under way keep theirs. */
  readonly named: ReadonlySet<string>;
};

type Started = Pick<Config, "cascade" | "providers" | "script"> & {
  readonly places: Pick<Config["places"], "configuration">;
};

/**
 * Reads `PROVIDER_CASCADE` again whenever the settings file has changed. Only providers that were set up at the start are in the order. Where the setting cannot
 * be read, or names none of these, the former order stays. A variable of the process wins over the file, and so never changes.
 */
export function openLiveCascade(environment: Environment, config: Started): () => CascadeNow {
  const usable = usableProviders(config);
  const named = new Set(config.cascade);
  const first: CascadeNow = { order: [...named], problem: null, usable, named };
  if (environment["PROVIDER_CASCADE"] !== undefined) return () => first;
  const { configuration } = config.places;
  const path = join(configuration, ".env");
  let version = versionOfFile(path);
  let now = first;
  return () => {
    const found = versionOfFile(path);
    if (found !== version) {
      version = found;
      now = changed(now, () => {
        const problems: string[] = [];
        const read = settingReader(readEnvFile(path, []), configuration, problems);
        const wanted = read<readonly string[]>("PROVIDER_CASCADE", settingTable.PROVIDER_CASCADE);
        return [...new Set(wanted)];
      });
    }
    return now;
  };
}

function usableProviders({
  cascade,
  providers,
  script,
}: Pick<Config, "cascade" | "providers" | "script">): ReadonlySet<string> {
  const described = providers.filter(
    ({ name, apiKey, vaultKey, baseUrl, model }) =>
      cascade.includes(name) || vaultKey !== undefined || (apiKey ?? baseUrl ?? model) !== null,
  );
  return new Set([
    ...described.map(({ name }) => name).filter((name) => name !== "scripted"),
    ...(script !== null && cascade.includes("scripted") ? ["scripted"] : []),
  ]);
}

function changed(before: CascadeNow, read: () => readonly string[]): CascadeNow {
  const { usable } = before;
  const inOrder = (order: readonly string[], problem: string | null): CascadeNow => ({
    ...before,
    order,
    problem,
    named: new Set([...before.named, ...order]),
  });
  try {
    const wanted = read();
    const order = wanted.filter((name) => usable.has(name));
    const unknown = wanted.filter((name) => !usable.has(name));
    if (unknown.length === 0) return inOrder(order, null);
    const problem = `${unknown.join(", ")} of PROVIDER_CASCADE was not set up when this agent started: start it again to ask it.`;
    return inOrder(order.length === 0 ? before.order : order, problem);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { ...before, problem: error.message };
  }
}
