import { describeExplored, exploreModels } from "../../reason/providers/explore-models.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** Asks the providers of the cascade for their models, and tells them in words too. Sends nothing but the keys. */
export async function exploreOwnModels(start: StartContext, cancel: AbortSignal) {
  const { cascade, providers } = loadPolicy(start.environment).config;
  const asked = cascade.flatMap(
    (name) => providers.find((one) => one.name === name && name !== "scripted") ?? [],
  );
  const found = await exploreModels(asked, cancel);
  return { found, words: describeExplored(found) };
}
