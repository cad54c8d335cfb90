import type { State } from "../../memory/state/state.ts";
import { currentRests } from "../../reason/providers/current-rests.ts";
import type { Policy } from "../../settings/policy.ts";
import type { Clock } from "../../text/clock.ts";
import type { ModelCommandParts } from "../commands/model-command.ts";
import { makeProviders } from "./models/connect-providers.ts";

/** What the owner is told of providers and their models. They are built when the owner first asks. */
export function lookUpProviders(
  policy: Policy,
  { state, clock }: { readonly state: Pick<State, "providerRests">; readonly clock: Clock },
): Pick<ModelCommandParts, "modelOf" | "resting"> & {
  readonly providers: () => ReturnType<typeof makeProviders>;
} {
  const models: { providers?: ReturnType<typeof makeProviders> } = {};
  const providers = () => {
    models.providers ??= makeProviders({ policy, clock, report: () => undefined });
    return models.providers;
  };
  return {
    providers,
    async modelOf(name, other = null) {
      const provider = providers().get(name);
      if (provider === undefined) return null;
      const model = other ?? provider.model;
      return { model, window: (await provider.recordOf(model)).contextWindow };
    },
    async resting(now) {
      const configured = { providers: policy.config.providers, cascade: policy.cascade().order };
      return currentRests(await state.providerRests.all(), configured, now);
    },
  };
}
