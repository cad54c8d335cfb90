import type { AttachmentMessage } from "../../signal/attachment.ts";
import { makeConversationJoin } from "../../signal/conversation-join.ts";
import { privateTextRule } from "../../signal/facts.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, textsIn } from "../../text/json.ts";
import { splitAsIs } from "./split-as-is.ts";
import { withholdAcrossStrings } from "./withhold-across-strings.ts";
import { labelOfMessage, withholdPrivate, withoutPrivateNames } from "./withhold-private.ts";

/** Finds and masks secrets in a text; a port. */
export type SecretFilter = {
  readonly scan: (text: string) => readonly { readonly rule: string }[];
  readonly mask: (text: string) => string;
};

/** Passages that stand in a text that is or was private, as a port. */
export type PrivatePassages = {
  /** Resolves when all private text is known. Throws where it cannot be known; then nothing may leave. */
  readonly ready: () => Promise<void>;
  /** The text with each such passage replaced by `[withheld: private]`. */
  readonly withhold: (text: string) => string;
  /** The same for texts that are shown one after the other: a passage may begin in one of them and end in another. */
  readonly withholdAcross: (texts: readonly string[]) => readonly string[];
  /** Changes whenever more or fewer texts are known. */
  readonly revision: () => number;
};

/** A prompt as one destination may see it. */
export type RenderedPrompt = {
  readonly system: string;
  readonly messages: readonly Message[];
  /** The join of the labels of everything that was not withheld. */
  readonly label: Label;
  /** Secrets that masking left over, and private passages that withholding left over. The judge blocks on them. */
  readonly findings: readonly { readonly rule: string; readonly where: string }[];
};

/** Renders a prompt for one destination: private and secret text, and passages of it in any other text, are withheld from a provider that is not local, and secrets are masked for every provider. */
export type Renderer = (
  prompt: {
    readonly system: string;
    readonly messages: readonly Message[];
    /** The tools whose names no message can make up. Default: none. */
    readonly tools?: readonly { readonly name: string }[];
  },
  isLocal: boolean,
) => RenderedPrompt;

/**
 * Makes a renderer that renders each message once for local and once for remote providers, however often it is sent. `textMayLeave`: what a local model makes
 * of a private passage is private, too, since another model may be told it.
 */
export function makeRenderer(filter: SecretFilter, passages: PrivatePassages, textMayLeave = true): Renderer {
  // Half of a surrogate pair is refused by many servers.
  const secrets = { scan: filter.scan, mask: (text: string): string => filter.mask(text).toWellFormed() };
  const forLocal = new WeakMap<Message, RenderedMessage>();
  const forRemote = new WeakMap<Message, RenderedMessage>();
  const joinLocal = makeConversationJoin();
  const joinRemote = makeConversationJoin();
  const maskRemote = (text: string): string => secrets.mask(passages.withhold(text));
  const maskParts = (message: Message): ((text: string) => string) => {
    const shown = withholdAcrossStrings(message, passages.withholdAcross);
    return (text) => secrets.mask(shown.get(text) ?? passages.withhold(text));
  };
  const renderMessage = (message: Message, isLocal: boolean): RenderedMessage => {
    const cache = isLocal ? forLocal : forRemote;
    const known = cache.get(message);
    const revision = isLocal && !textMayLeave ? 0 : passages.revision();
    if (known?.revision === revision) return known;
    const visible = withholdPrivate(message, isLocal);
    const asIs = isLocal ? null : splitAsIs(visible);
    const masked =
      asIs === null
        ? maskMessage(visible, isLocal ? secrets.mask : maskParts(visible))
        : userMessage(visible, maskRemote(asIs.before) + secrets.mask(asIs.words) + maskRemote(asIs.after));
    const checked = asIs === null ? masked : [maskRemote(asIs.before), maskRemote(asIs.after)];
    const rendered = {
      message: masked,
      label:
        isLocal && textMayLeave && holdsPassage(visible, passages)
          ? joinLabels(labelOfMessage(visible), { ...bottomLabel, secrecy: "private" })
          : labelOfMessage(visible),
      findings: [...scan(masked, secrets), ...(isLocal ? [] : leftOver(checked, passages))],
      revision,
    };
    cache.set(message, rendered);
    return rendered;
  };
  return ({ system: text, messages, tools = [] }, isLocal) => {
    const system = isLocal ? secrets.mask(text) : maskRemote(text);
    const rendered = messages.map((message) => renderMessage(message, isLocal));
    const shown = rendered.map(({ message }) => message);
    const foundInSystem = [...scan(system, secrets), ...(isLocal ? [] : leftOver(system, passages))];
    const inSystem = foundInSystem.map(({ rule, where }) => ({ rule, where: `system${where}` }));
    const inMessages: { rule: string; where: string }[] = [];
    for (const [index, { findings }] of rendered.entries()) {
      for (const { rule, where } of findings) inMessages.push({ rule, where: `messages/${index}${where}` });
    }
    return {
      system,
      messages: isLocal
        ? shown
        : withoutPrivateNames(messages, shown, new Set(tools.map(({ name }) => name))),
      label: (isLocal ? joinLocal : joinRemote)(rendered.map(({ label }) => label)),
      findings: [...inSystem, ...inMessages],
    };
  };
}

/** One message as one destination may see it. */
type RenderedMessage = Pick<RenderedPrompt, "label" | "findings"> & {
  readonly message: Message;
  /** What was known of private passages. */
  readonly revision: number;
};

function scan(value: Json, secrets: SecretFilter): RenderedPrompt["findings"] {
  return textsIn(value).flatMap(({ path, text }) =>
    secrets.scan(text).map(({ rule }) => ({ rule, where: path })),
  );
}

/** Private passages that withholding left over: the judge blocks on them. */
function leftOver(value: Json, { withhold }: PrivatePassages): RenderedPrompt["findings"] {
  return textsIn(value)
    .filter(({ text }) => withhold(text) !== text)
    .map(({ path }) => ({ rule: privateTextRule, where: path }));
}

/** Whether a private passage stands in a message, or runs through several strings of it. */
function holdsPassage(message: Message, passages: PrivatePassages): boolean {
  return (
    leftOver(message, passages).length > 0 || withholdAcrossStrings(message, passages.withholdAcross).size > 0
  );
}

/** Nothing but the text of a person's message goes to a provider; who said it when is kept beside it. */
function userMessage(message: Message, text: string): Message {
  const { told = false, steers = false } = message.role === "user" ? message : {};
  const label = labelOfMessage(message);
  return { role: "user", text, label, ...(told && { told }), ...(steers && { steers }) };
}

function maskMessage(message: Message, mask: SecretFilter["mask"]): Message {
  switch (message.role) {
    case "user":
      return userMessage(message, mask(message.text));
    case "rejection":
      return { ...message, text: mask(message.text) };
    case "attachment":
      return maskAttachment(message, mask);
    case "assistant": {
      const calls = message.calls.map(({ id, action }) => ({
        id,
        action: {
          ...action,
          payload: maskObject(action.payload, mask),
          explanation: mask(action.explanation),
        },
      }));
      const whole = textsIn(message.raw).every(({ text }) => mask(text) === text);
      return { ...message, text: mask(message.text), calls, raw: whole ? message.raw : null };
    }
    case "result": {
      const { outcome } = message.result;
      const masked =
        outcome.status === "success"
          ? { ...outcome, content: maskJson(outcome.content, mask) }
          : { ...outcome, message: mask(outcome.message) };
      return { ...message, result: { ...message.result, outcome: masked } };
    }
  }
}

/** The bytes of a file cannot be masked: where its text has something to mask, only the text goes. */
function maskAttachment(message: AttachmentMessage, mask: SecretFilter["mask"]): AttachmentMessage {
  const text = mask(message.text);
  const file = { ...message.file, name: mask(message.file.name), path: mask(message.file.path) };
  return { ...message, file, text, ...(text === message.text ? {} : { textOnly: true }) };
}

function maskObject(value: JsonObject, mask: SecretFilter["mask"]): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskJson(item, mask)]));
}

function maskJson(value: Json, mask: SecretFilter["mask"]): Json {
  if (typeof value === "string") return mask(value);
  if (isJsonObject(value)) return maskObject(value, mask);
  if (isJsonArray(value)) return value.map((item) => maskJson(item, mask));
  // A number or truth is read as its text, and stays what it is where there is nothing to mask.
  const text = String(value);
  const masked = value === null ? text : mask(text);
  return masked === text ? value : masked;
}
