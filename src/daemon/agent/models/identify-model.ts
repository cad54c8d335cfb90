import type { Provider } from "../../../reason/model/model-port.ts";
import { locateProvider } from "../../../reason/providers/locate-provider.ts";
import type { ProviderSetting } from "../../../reason/providers/settings.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";

/**
 * What is the same for two names of the same model: its own name where the model table knows it, whichever service has it and whatever version of a day it is;
 * else its name at its address.
 */
export async function identifyModel(
  settings: readonly ProviderSetting[],
  providers: { readonly get: (name: string) => Pick<Provider, "model" | "recordOf"> | undefined },
  { provider: name, model: chosen }: ChosenModel,
): Promise<string> {
  const provider = providers.get(name);
  const setting = settings.find((one) => one.name === name);
  const model = chosen ?? provider?.model ?? "";
  const known = (await provider?.recordOf(model))?.origin.contextWindow;
  if (known === "table" || known === "name") return ownName(model);
  const located = setting === undefined ? name : locateProvider(setting);
  const place = typeof located === "string" ? name : `${located.url.host}${located.url.pathname}`;
  return `${model} at ${place.replace(/^localhost|^\[::1\]/, "127.0.0.1").replace(/\/+$/, "")}`;
}

/** `claude-opus-4-5` for `anthropic/claude-opus-4.5:beta` and `claude-opus-4-5-20251101`. */
function ownName(model: string): string {
  const last = model.toLowerCase().split("/").at(-1) ?? model;
  return last
    .replace(/:.*$/, "")
    .replace(/-\d{8}$/, "")
    .replaceAll(".", "-");
}
