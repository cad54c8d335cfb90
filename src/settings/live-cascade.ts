import { join } from "node:path";
import { locateProvider } from "../reason/providers/locate-provider.ts";
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
  /**
   * The providers that can be put into the order without a new start: those that the owner described, with an
   * address and the key that they need.
   */
  readonly usable: ReadonlySet<string>;
  /**
   * The providers that may be asked: those of each order since the start, since turns under way keep theirs.
   */
  readonly named: ReadonlySet<string>;
};

type Started = Pick<Config, "cascade" | "providers" | "script"> & {
  readonly places: Pick<Config["places"], "configuration">;
};

/**
 * Reads `PROVIDER_CASCADE` again whenever the settings file has changed. Only providers that were set up at
 * the start are in the order. Where the setting cannot be read, is not in the file any more, or names none of
 * these, the former order stays, and `problem` says so; an empty one asks none. A variable of the process
 * wins over the file, and so never changes.
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
      now = changed(path, now, () => {
        const values = readEnvFile(path, []);
        if (values["PROVIDER_CASCADE"] === undefined) return null;
        const problems: string[] = [];
        const read = settingReader(values, configuration, problems);
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
  const described = providers.filter((setting) => {
    const { name, apiKey, vaultKey, baseUrl, model } = setting;
    const located = locateProvider(setting);
    if (typeof located === "string" || located.missingKey !== null) return false;
    return cascade.includes(name) || vaultKey !== undefined || (apiKey ?? baseUrl ?? model) !== null;
  });
  return new Set([
    ...described.map(({ name }) => name).filter((name) => name !== "scripted"),
    ...(script !== null && cascade.includes("scripted") ? ["scripted"] : []),
  ]);
}

function changed(path: string, before: CascadeNow, read: () => readonly string[] | null): CascadeNow {
  const inOrder = (order: readonly string[], problem: string | null): CascadeNow => ({
    ...before,
    order,
    problem,
    named: new Set([...before.named, ...order]),
  });
  try {
    const wanted = read();
    if (wanted === null) {
      const gone = `PROVIDER_CASCADE is not in ${path} any more: this order stays until a new start. Write PROVIDER_CASCADE= there to ask no model.`;
      return { ...before, problem: before.order.length === 0 ? null : gone };
    }
    // A provider of the start that cannot be asked says so itself where it is asked.
    const isKnown = (name: string): boolean => before.usable.has(name) || before.named.has(name);
    const order = wanted.filter(isKnown);
    const unknown = wanted.filter((name) => !isKnown(name));
    if (unknown.length === 0) return inOrder(order, null);
    const problem = `${unknown.join(", ")} of PROVIDER_CASCADE was not set up when this agent started: start it again to ask it.`;
    return inOrder(order.length === 0 ? before.order : order, problem);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { ...before, problem: error.message };
  }
}
