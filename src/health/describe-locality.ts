import { variableOf } from "../reason/model/setting-name.ts";
import type { ProviderLocation } from "../reason/providers/locate-provider.ts";

/** Where a provider is, and whether private text goes to it: what the gate decides by, in words. */
export function describeLocality(
  name: string,
  { url, loopback, local }: Pick<ProviderLocation, "url" | "loopback" | "local">,
): string {
  if (local) return "on this machine";
  return loopback
    ? `at an address of this machine, but private text is withheld from it, since it may pass on what it gets. If its model runs here, set ${variableOf(name, "LOCAL")}=true`
    : `on another machine (${url.host})`;
}
