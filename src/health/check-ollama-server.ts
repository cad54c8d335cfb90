import { listModels } from "../reason/providers/list-models.ts";

/** Milliseconds that a server on this machine may take. */
const patience = 1_000;
const mostNames = 5;

/** Whether an Ollama on this machine has the model that is set: a finding is a sentence. Empty where it does not list its models. */
export async function checkOllamaServer({
  name,
  url,
  model,
}: {
  readonly name: string;
  readonly url: URL;
  readonly model: string;
}): Promise<readonly string[]> {
  const baseUrl = url.href.replace(/\/+$/, "");
  const asked = { baseUrl, apiKey: null, protocol: "openai-compatible" } as const;
  const offered = await listModels(asked, AbortSignal.timeout(patience));
  if (!offered.ok || [model, `${model}:latest`].some((named) => offered.models.includes(named))) return [];
  const has =
    offered.models.length === 0
      ? "it has none yet"
      : `it has ${offered.models.slice(0, mostNames).join(", ")}`;
  return [
    `${name} has no model ${model}: ${has}. Get it with: ollama pull ${model}. Or choose one: passepartout setup`,
  ];
}
