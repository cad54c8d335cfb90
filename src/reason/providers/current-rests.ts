import { isResting, type ProviderRest } from "../../signal/provider-rest.ts";
import { type ProviderSetting, settingsDigest } from "./settings.ts";

/** The kept rests that count at a time: of providers of the cascade, with the settings that failed. */
export function currentRests(
  kept: readonly ProviderRest[],
  configured: { readonly cascade: readonly string[]; readonly providers: readonly ProviderSetting[] },
  now: number,
): readonly ProviderRest[] {
  const digests = new Map(configured.providers.map((setting) => [setting.name, settingsDigest(setting)]));
  return kept.filter(
    (rest) =>
      isResting(rest, now) &&
      configured.cascade.includes(rest.provider) &&
      rest.settings === (digests.get(rest.provider) ?? rest.settings),
  );
}
