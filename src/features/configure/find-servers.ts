import { listModels } from "../../reason/providers/list-models.ts";
import { locateProvider } from "../../reason/providers/locate-provider.ts";
import { addressOf } from "../../reason/providers/offered-models.ts";
import type { ProviderSetting } from "../../reason/providers/settings.ts";

/** A model server that answers on this machine. */
export type FoundServer = {
  readonly name: string;
  readonly models: readonly string[];
};

/** Milliseconds that a server on this machine, perhaps a busy one, may take to list its models. Where none listens, that is known at once. */
const patience = 5_000;

/** Finds Ollama and llama.cpp where they answer on this machine. Sends nothing but the question for their models, and reaches no other machine. */
export async function findServers(
  settings: readonly ProviderSetting[],
  cancel: AbortSignal,
): Promise<readonly FoundServer[]> {
  const local = settings.filter(({ kind }) => kind === "ollama" || kind === "llama");
  const found = await Promise.all(local.map((setting) => findServer(setting, cancel)));
  return found.filter((server) => server !== null);
}

async function findServer(setting: ProviderSetting, cancel: AbortSignal): Promise<FoundServer | null> {
  const located = locateProvider(setting);
  if (typeof located === "string" || !located.loopback) return null;
  const signal = AbortSignal.any([cancel, AbortSignal.timeout(patience)]);
  const offered = await listModels(
    { baseUrl: addressOf(setting), apiKey: null, protocol: "openai-compatible" },
    signal,
  );
  return offered.ok ? { name: setting.name, models: offered.models } : null;
}
