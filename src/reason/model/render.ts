import { isJsonObject, type Json, type JsonObject, stringsIn } from "../../signal/json.ts";
import { bottomLabel, isNoMoreSecretThan, joinConversationLabels, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";

/** The secret scanner, as a port. */
export type SecretScanner = {
  readonly scan: (text: string) => readonly { readonly rule: string }[];
  readonly mask: (text: string) => string;
};

/** A prompt as one destination may see it. */
export type RenderedPrompt = {
  readonly system: string;
  readonly messages: readonly Message[];
  /** The join of all that was not withheld. */
  readonly label: Label;
  /** Secrets that are still there after masking: the judge blocks on them. */
  readonly findings: readonly { readonly rule: string; readonly where: string }[];
};

/** Renders for one audience: what is private or secret stays on this machine, and what looks like a secret is masked everywhere. */
export type Renderer = (
  prompt: { readonly system: string; readonly messages: readonly Message[] },
  local: boolean,
) => RenderedPrompt;

/** A renderer that looks through a message once for each audience: of a long session only what is new. */
export function makeRenderer(secrets: SecretScanner): Renderer {
  const [near, far] = [new WeakMap<Message, RenderedMessage>(), new WeakMap<Message, RenderedMessage>()];
  const seenBy = (message: Message, local: boolean): RenderedMessage => {
    const before = (local ? near : far).get(message);
    if (before !== undefined) return before;
    const shown = local || isNoMoreSecretThan(labelOf(message), "public") ? message : withhold(message);
    const masked = maskMessage(shown, secrets.mask);
    const seen = { message: masked, label: labelOf(shown), findings: found(masked, secrets) };
    (local ? near : far).set(message, seen);
    return seen;
  };
  return ({ system: text, messages }, local) => {
    const system = secrets.mask(text);
    const seen = messages.map((message) => seenBy(message, local));
    const findings = [
      ...found(system, secrets).map(({ rule, where }) => ({ rule, where: `system${where}` })),
      ...seen.flatMap((one, index) =>
        one.findings.map(({ rule, where }) => ({ rule, where: `messages/${index}${where}` })),
      ),
    ];
    return {
      system,
      messages: seen.map(({ message }) => message),
      label: joinConversationLabels(seen.map(({ label }) => label)),
      findings,
    };
  };
}

/** One message as one audience may see it. */
type RenderedMessage = Pick<RenderedPrompt, "label" | "findings"> & { readonly message: Message };

function labelOf(message: Message): Label {
  return message.role === "result" ? message.result.label : message.label;
}

function found(value: Json, { scan }: SecretScanner): RenderedPrompt["findings"] {
  return stringsIn(value).flatMap(({ path, text }) => scan(text).map(({ rule }) => ({ rule, where: path })));
}

function withhold(message: Message): Message {
  const { secrecy } = labelOf(message);
  const text = `[withheld: ${secrecy}]`;
  const label = bottomLabel;
  switch (message.role) {
    case "user":
    case "rejection":
      return { ...message, text, label };
    case "assistant": {
      const calls = message.calls.map(({ id, action }) => ({
        id,
        action: { ...action, payload: withholdArguments(action.payload, text), explanation: text },
      }));
      return { ...message, text, calls, raw: null, label };
    }
    case "result":
      return {
        ...message,
        result: { ...message.result, outcome: { status: "success", content: text }, label },
      };
  }
}

function withholdArguments(payload: JsonObject, text: string): JsonObject {
  const { tool } = payload;
  return typeof tool === "string" ? { tool, args: { withheld: text } } : { withheld: text };
}

function maskMessage(message: Message, mask: SecretScanner["mask"]): Message {
  switch (message.role) {
    case "user":
    case "rejection":
      return { ...message, text: mask(message.text) };
    case "assistant": {
      const calls = message.calls.map(({ id, action }) => ({
        id,
        action: {
          ...action,
          payload: maskObject(action.payload, mask),
          explanation: mask(action.explanation),
        },
      }));
      const whole = stringsIn(message.raw).every(({ text }) => mask(text) === text);
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

function maskObject(value: JsonObject, mask: SecretScanner["mask"]): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskJson(item, mask)]));
}

function maskJson(value: Json, mask: SecretScanner["mask"]): Json {
  if (typeof value === "string") return mask(value);
  if (isJsonObject(value)) return maskObject(value, mask);
  return Array.isArray(value) ? value.map((item: Json) => maskJson(item, mask)) : value;
}
