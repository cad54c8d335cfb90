import type { InputKind } from "../../signal/attachment.ts";

const seesAndReads: readonly InputKind[] = ["picture", "pdf"];
const sees: readonly InputKind[] = ["picture"];

/** What families of models take beside text, by the name of the model without its vendor; the first that matches counts. */
const families: readonly (readonly [RegExp, readonly InputKind[]])[] = [
  [/^claude-(?:instant|[12]\b)/, []],
  [/^claude-3-(?!5|7)/, sees],
  [/^claude-/, seesAndReads],
  [/^(?:o1|o3)-mini|^o1-preview|^gpt-oss|^gpt-4o-(?:audio|realtime|mini-audio|transcribe|mini-tts)/, []],
  [/^gpt-(?:4o|4\.[1-9]|[5-9]|\d\d)|^chatgpt-4o|^o\d/, seesAndReads],
  [/^gpt-4-(?:turbo|vision)/, sees],
  [/^gemini-(?!embedding)/, seesAndReads],
  [/^gemma-?(?:3n|3(?![-:]?(?:270m|1b))|[4-9])/, sees],
  [/^(?:llava|bakllava|pixtral|moondream|minicpm-?v|internvl|molmo|smolvlm|idefics|cogvlm)/, sees],
  [/^llama-?4|^grok-(?:[4-9]|2-vision)|^mistral-(?:small-3\.[1-9]|medium-3)|^phi-?4-multimodal/, sees],
  [/(?:^|[-_.])(?:vl|vision)(?:$|[-_.:\d])|^qwen[\d.]*-?vl/, sees],
];

/** What a model takes beside text, as far as its name tells; nothing for an unknown name. */
export function knownInputs(model: string): readonly InputKind[] {
  const name = model.trim().toLowerCase().split("/").at(-1) ?? "";
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? [];
}
