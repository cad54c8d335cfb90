import type { Config } from "../../../settings/config.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";
import type { JsonObject } from "../../../text/json.ts";

/** How many models are listed at once. */
const mostListed = 40;

type Settings = Pick<Config, "providers" | "cognitionModel" | "consensusModels" | "modelRoutes">;

/**
 * The models of the providers that the owner set up, as far as the settings and the kept table know them: which is asked, what they cost and can do. Those whose name, or whose
 * provider's, holds `about`; asks no provider for its list.
 */
export async function listKnownModels(
  config: Settings,
  order: readonly string[],
  about: string,
): Promise<JsonObject> {
  const { exploreKnownModels } = await import("../../../reason/providers/explore-models.ts");
  const settings = order.flatMap(
    (name) => config.providers.find((one) => one.name === name && name !== "scripted") ?? [],
  );
  const wanted = about.trim().toLowerCase();
  let left = mostListed;
  let more = 0;
  const providers = (await exploreKnownModels(settings, namedIn(config))).flatMap(
    ({ provider, local, asked, callsTools, problem, models }) => {
      const fitting = models.filter(
        ({ model }) => provider.toLowerCase().includes(wanted) || model.toLowerCase().includes(wanted),
      );
      const shown = fitting.slice(0, left);
      left -= shown.length;
      more += fitting.length - shown.length;
      const troubles = problem === null ? {} : { problem };
      const listed = shown.map(({ model, words }) => ({ model, about: words }));
      return fitting.length === 0
        ? []
        : [{ provider, local, asked, callsTools, ...troubles, models: listed }];
    },
  );
  return {
    providers,
    note: [
      "By the table that comes with this program and the owner's settings; no provider was asked for its list: `passepartout models` does that.",
      ...(more === 0 ? [] : [`${more} more are not shown: narrow it with about.`]),
    ].join(" "),
  };
}

/** The models that the owner's settings name, besides the providers' own. */
function namedIn({ cognitionModel, consensusModels, modelRoutes }: Settings): readonly ChosenModel[] {
  const [provider = "", ...model] = cognitionModel.split("/");
  const small = { provider, model: model.length === 0 ? null : model.join("/") };
  return [small, ...consensusModels, ...modelRoutes.flatMap(({ models }) => models)];
}
