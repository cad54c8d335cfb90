import type { ProviderRest } from "../../signal/provider-rest.ts";
import { type ProviderSetting, settingsDigest } from "./settings.ts";

/** The kept rests that count at a time: of providers of the cascade, with the settings that failed. */
export function currentRests(
  kept: readonly ProviderRest[],
  configured: { readonly cascade: readonly string[]; readonly providers: readonly ProviderSetting[] },
  now: number,
): readonly ProviderRest[] {
  const digests = new Map(configured.providers.map((setting) => [setting.name, settingsDigest(setting)]));
  return kept.filter(
    ({ provider, settings, until }) =>
      until > now &&
      configured.cascade.includes(provider) &&
      settings === (digests.get(provider) ?? settings),
  );
}
