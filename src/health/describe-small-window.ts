import type { ModelRecord } from "../reason/model/model-port.ts";
import { variableOf } from "../reason/model/setting-name.ts";
import type { ProviderSetting } from "../reason/providers/settings.ts";

/** Tokens of a context window in which all tools of every turn have room. */
const wholeWindow = 8_192;
/** What is proposed in its place. */
const betterWindow = 16_384;

/**
 * What a small context window cannot hold, and the setting that makes it larger. Null where it is large
 * enough.
 */
export function describeSmallWindow(
  { name, kind }: Pick<ProviderSetting, "name" | "kind">,
  { contextWindow, largestWindow = betterWindow }: Pick<ModelRecord, "contextWindow" | "largestWindow">,
): string | null {
  if (contextWindow >= wholeWindow) return null;
  const lost = `${name}: a context of ${contextWindow} tokens is small. Requests hold fewer tools, in short words, and a search for the others; long files and conversations are cut.`;
  if (largestWindow <= contextWindow) return `${lost} The model has no larger one: choose another model.`;
  const better = Math.min(betterWindow, largestWindow);
  const setting = `${variableOf(name, "CONTEXT_WINDOW")}=${better}`;
  if (kind === "llama") return `${lost} Start llama-server with -c ${better}, and set ${setting}.`;
  return kind === "ollama"
    ? `${lost} Set ${setting}, which Ollama gets as num_ctx. (For other programs: OLLAMA_CONTEXT_LENGTH=${better} of its server.)`
    : `${lost} Make it larger in its server (LM Studio: Context Length of the model; vLLM: --max-model-len; llama.cpp: -c), and set ${setting}.`;
}
