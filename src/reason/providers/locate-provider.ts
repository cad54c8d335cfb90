import { variableOf } from "../model/setting-name.ts";
import { providerPresets } from "./presets.ts";
import type { ProviderSetting } from "./settings.ts";

/** Where a provider is, and the variable of the key that it lacks, if it needs one. */
export type ProviderLocation = {
  readonly url: URL;
  readonly loopback: boolean;
  /**
   * Whether requests stay on this machine: at a loopback address alone, where the kind stays there, or the
   * owner says so.
   */
  readonly local: boolean;
  readonly missingKey: string | null;
};

/**
 * Locates a provider by its settings, without the network. A string explains what is wrong with the settings.
 */
export function locateProvider(setting: ProviderSetting): ProviderLocation | string {
  const { name, apiKey, vaultKey } = setting;
  const variable = variableOf(name, "BASE_URL");
  const kind = providerPresets.get(setting.kind);
  const baseUrl = setting.baseUrl ?? kind?.baseUrl ?? null;
  if (kind === undefined) return `The provider ${name} has an unknown kind.`;
  if (baseUrl === null) return `The provider ${name} has no address: set ${variable}.`;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return `The address of the provider ${name} is invalid: set ${variable} to an http:// or https:// address.`;
  }
  if (url.username !== "" || url.password !== "") {
    return `The address of the provider ${name} holds a password: take it out of ${variable} and use a key.`;
  }
  const loopback = isLoopback(url);
  const hasKey = vaultKey !== undefined || (apiKey !== null && apiKey !== "");
  const lacksKey = kind.needsKey && !loopback && !hasKey;
  const local = loopback && (setting.local ?? kind.staysLocal);
  return { url, loopback, local, missingKey: lacksKey ? variableOf(name, "API_KEY") : null };
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
