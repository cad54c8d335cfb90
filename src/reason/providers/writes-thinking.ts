import type { ProviderPreset } from "./presets.ts";

/** Families of models that write their thinking into their text where the server does not take it out. */
const families =
  /deepseek-?r\d|r1-distill|\bqwq|qwen-?3|magistral|kimi-?(?:k\d-)?thinking|phi-?4-reasoning|smollm3|hermes-?4|nemotron|exaone-deep|glm-?4\.[1-9]|minimax-m\d|[-/]think(?:ing)?\b/i;

/** A model of a provider. */
export type ServedModel = {
  readonly model: string;
  readonly preset: Pick<ProviderPreset, "protocol" | "staysLocal" | "needsKey">;
  readonly loopback: boolean;
  /** What the owner said; undefined if nothing. */
  readonly wanted: boolean | undefined;
};

/** Whether thinking is looked for in a model's text: for every model of a server on this machine or of Ollama and llama.cpp, elsewhere for the known families. */
export function writesThinking({ model, preset, loopback, wanted }: ServedModel): boolean {
  if (wanted !== undefined) return wanted;
  if (preset.protocol !== "openai-compatible") return false;
  const isOwnServer = preset.staysLocal || (loopback && !preset.needsKey);
  return isOwnServer || families.test(model);
}
