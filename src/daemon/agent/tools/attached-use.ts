import type { ModelRecord } from "../../../reason/model/model-port.ts";
import { variableOf } from "../../../reason/model/setting-name.ts";
import { estimateTokens } from "../../../reason/prompt/estimate-tokens.ts";
import { type AttachedText, type InputKind, inputKindOf, tokensOfFile } from "../../../signal/attachment.ts";
import { formatTokens } from "../../../text/format-time.ts";

/** A model that would be asked. */
export type AttachingModel = Pick<
  ModelRecord,
  "model" | "inputs" | "contextWindow" | "maxOutputTokens" | "prices"
> & {
  readonly provider: string;
  readonly local: boolean;
};

/** How models would be given a file, in words and as data; or why none would be. */
export type AttachedUse =
  | {
      readonly ok: true;
      readonly words: string;
      readonly data: {
        readonly given: InputKind | "text";
        readonly tokens: number;
        readonly microdollars: number;
      };
    }
  | { readonly ok: false; readonly message: string };

const kindWords = { picture: "pictures", pdf: "PDF files" } as const;

/** Says how the models that would be asked, in their order, are given a file. */
export function planUse(attached: AttachedText, models: readonly AttachingModel[]): AttachedUse {
  const { file, text, label } = attached;
  const kind = inputKindOf(file);
  const [first] = models;
  if (first === undefined)
    return refuse("no model is set up that could be given a file. `passepartout setup` sets one up.");
  if (label.secrecy === "private" && !models.some(({ local }) => local))
    return refuse(`${file.name} is private, and ${nameOf(first)} is no model of this machine.`);
  const taking = kind === null ? [] : models.filter(({ inputs }) => inputs.includes(kind));
  if (kind !== null && taking.length === 0 && text === "") return refuse(whyNot(kind, models));
  const asBytes = kind !== null && first.inputs.includes(kind);
  const tokens = Math.max(asBytes || text === "" ? tokensOfFile(file) : 0, estimateTokens(text));
  const room = first.contextWindow - first.maxOutputTokens;
  if (tokens > room)
    return refuse(
      `${file.name} has about ${formatTokens(tokens)} tokens, and ${nameOf(first)} has room for ${formatTokens(room)}. Name it with @, and I read what I need of it.`,
    );
  const microdollars = Math.round((tokens * (first.prices?.inputMicrodollarsPerMillion ?? 0)) / 1e6);
  const given = asBytes ? kind : "text";
  return {
    ok: true,
    words: [wordsOf(attached, { kind, first, taking }), costOf(tokens, microdollars)].join(" "),
    data: { given, tokens, microdollars },
  };
}

function wordsOf(
  { text, label }: AttachedText,
  {
    kind,
    first,
    taking,
  }: {
    readonly kind: InputKind | null;
    readonly first: AttachingModel;
    readonly taking: readonly AttachingModel[];
  },
): string {
  const kept = label.secrecy === "private" ? " It is private: only models of this machine see it." : "";
  if (kind === null || taking[0] === first)
    return `${nameOf(first)} is given it with what you say next.${kept}`;
  const other = taking[0] === undefined ? "" : ` ${nameOf(taking[0])} would be given it whole.`;
  if (text === "")
    return `${nameOf(first)} takes no ${kindWords[kind]} and is told only that it is there.${other}${kept}`;
  return `${nameOf(first)} takes no ${kindWords[kind]} and is given the text in it: ${text.length.toLocaleString("en")} characters, without its pictures.${other}${kept}`;
}

function costOf(tokens: number, microdollars: number): string {
  const money = microdollars < 100 ? "" : `, $${(microdollars / 1e6).toFixed(4)}`;
  return `About ${formatTokens(tokens)} tokens${money}.`;
}

function whyNot(kind: InputKind, models: readonly AttachingModel[]): string {
  const names = models.map(nameOf).join(", ");
  const [{ provider = "NAME" } = {}] = models;
  const variable = variableOf(provider, "INPUTS");
  const noText = kind === "pdf" ? "the PDF has no text that can be read, and " : "";
  return `${noText}no model that is set up takes ${kindWords[kind]} (${names}). /model lists them; if one does, ${variable}=${kind} says so.`;
}

function nameOf({ provider, model }: AttachingModel): string {
  return `${provider}/${model}`;
}

function refuse(message: string): AttachedUse {
  return { ok: false, message };
}
