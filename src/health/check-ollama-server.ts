import { z } from "zod";
import { variableOf } from "../reason/model/setting-name.ts";
import { askLocalServer } from "./ask-local-server.ts";
import type { AssumedServer } from "./check-llama-server.ts";

/** The models that Ollama has loaded, as `/api/ps` lists them. Older versions leave the context out. */
const running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().int().positive().optional() })),
});

/** Tells if Ollama runs the model with a smaller context than is assumed: it cuts longer prompts in silence. Empty where the model is not loaded. */
export async function checkOllamaServer({
  name,
  url,
  model,
  contextWindow,
}: AssumedServer & { readonly model: string }): Promise<readonly string[]> {
  const answer = await askLocalServer(url, "/api/ps", running);
  const loaded = answer?.models.find((one) => one.name === model || one.name === `${model}:latest`);
  const window = loaded?.context_length ?? contextWindow;
  if (window >= contextWindow) return [];
  return [
    `${name}: Ollama runs ${model} with a context of ${window} tokens, and ${contextWindow} are assumed: it cuts longer prompts in silence. Set ${variableOf(name, "CONTEXT_WINDOW")}=${window}, or start Ollama with OLLAMA_CONTEXT_LENGTH=${contextWindow}.`,
  ];
}
