import { exploreCascade } from "../../reason/providers/explore-models.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** Asks the providers of the cascade for their models, and tells them in words too. Sends nothing but the keys. */
export async function exploreOwnModels(start: StartContext, cancel: AbortSignal) {
  return exploreCascade(loadPolicy(start.environment).config, cancel);
}
