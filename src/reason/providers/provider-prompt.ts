import type {
  JSONObject,
  JSONValue,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Call } from "../../signal/action.ts";
import { type AttachmentMessage, textOfAttachment } from "../../signal/attachment.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolDeclaration, ToolResult } from "../../signal/tool.ts";
import { deepestWritten, isJsonObject, type Json, type JsonObject, nestsDeeper } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { ModelRequest } from "../model/model-port.ts";
import { lastTurnOf, markForCache } from "./cache-marks.ts";
import { replayOfDetails } from "./compatible-extras.ts";
import type { ProviderEndpoint } from "./endpoint.ts";
import { numberResults } from "./number-results.ts";
import { type RawPart, readRaw } from "./raw-parts.ts";
import { shortNames } from "./short-names.ts";
import { joinTexts, strictPrompt } from "./strict-prompt.ts";

/** A request in the format of the provider packages. */
export type ProviderPrompt = {
  readonly prompt: LanguageModelV4Message[];
  readonly tools: LanguageModelV4FunctionTool[];
  /** The name of a tool, by the name that the provider knows it by. */
  readonly toolNamed: (wireName: string) => string;
};

/** The provider that a request is for. Raw parts are replayed only to the provider and model that made them. Without tool calls, earlier calls become forms in the text. */
export type PromptTarget = Pick<ProviderEndpoint, "thinkingReplay"> & {
  readonly provider: string;
  readonly cacheMarks: ReturnType<ProviderEndpoint["cacheMarks"]>;
  readonly callsTools: boolean;
};

type Names = { readonly tool: (name: string) => string; readonly call: (id: string) => string };
type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type AnswerMessage = Extract<Message, { role: "assistant" }>;
type Numbered = ReturnType<typeof numberResults>;
/** Schemas of arguments, and answers without calls, as they were translated before: each request of a session has them. */
const schemas = new WeakMap<JsonObject, JSONObject>();
const answers = new WeakMap<Message, AssistantParts & { readonly target: string }>();

const noCalls: ReadonlyMap<string, WireCall> = new Map();
type WireCall = { readonly id: string; readonly name: string };

/** Translates a request for the provider packages. Every native call gets exactly one result; results without a call become text. */
export function toProviderPrompt(request: ModelRequest, target: PromptTarget): ProviderPrompt {
  const tools = shortNames(
    "tool",
    request.tools.map(({ name }) => name),
  );
  const names: Names = { tool: tools.short, call: shortNames("call", []).short };
  const prompt: LanguageModelV4Message[] = [{ role: "system", content: request.system }];
  const marked = new Set([0]);
  const ends = new Set([request.stableMessages, lastTurnOf(request)]);
  const numbered = numberResults(request);
  let open = noCalls;
  let index = -1;
  for (const message of request.messages) {
    index += 1;
    if (message.role === "assistant") {
      const translated = translateAssistant(message, request.model, target, names);
      open = translated.calls;
      if (translated.content.length > 0) {
        prompt.push({ role: "assistant", content: [...translated.content], ...translated.rest });
      }
      if (open.size > 0) {
        prompt.push({
          role: "tool",
          content: resultParts(open, { messages: request.messages, from: index + 1 }, numbered),
        });
      }
    } else if (message.role === "attachment") {
      addToUser(prompt, attachmentParts(message, request));
    } else if (message.role !== "result" || !message.native || !open.has(message.callId)) {
      const text = plainText(message, numbered);
      if (text.trim() !== "") addToUser(prompt, [{ type: "text", text }]);
    }
    if (ends.has(index + 1)) marked.add(prompt.length - 1);
  }
  marked.add(prompt.length - 1);
  for (const index of marked) markForCache(prompt, index, target.cacheMarks);
  return {
    prompt: request.strict === true ? strictPrompt(prompt) : prompt,
    tools: request.tools.map((tool) => declare(tool, names)),
    toolNamed: tools.long,
  };
}

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];

/**
 * Puts parts into the message of the person before them, since many models take no two messages of a person
 * in a row.
 */
function addToUser(prompt: LanguageModelV4Message[], parts: readonly UserPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === "user")
    prompt[prompt.length - 1] = { ...last, content: joinTexts([...last.content, ...parts]) };
  else prompt.push({ role: "user", content: [...parts] });
}

/** A file that the model is given, behind a line that names it; else its text. */
function attachmentParts(message: AttachmentMessage, { files }: ModelRequest): readonly UserPart[] {
  const { digest, media, name } = message.file;
  const bytes = files?.get(digest);
  const text = textOfAttachment(message, bytes !== undefined);
  if (bytes === undefined) return [{ type: "text", text }];
  const filename = name.split("/").at(-1) ?? name;
  return [
    { type: "text", text },
    { type: "file", mediaType: media, filename, data: { type: "data", data: bytes } },
  ];
}

type AssistantParts = {
  readonly content: Assistant["content"];
  readonly calls: ReadonlyMap<string, WireCall>;
  /** Options of the whole message. */
  readonly rest: { readonly providerOptions?: SharedV4ProviderOptions };
};

function translateAssistant(
  message: AnswerMessage,
  model: string,
  target: PromptTarget,
  names: Names,
): AssistantParts {
  const key = `${target.provider} ${model} ${target.thinkingReplay} ${target.callsTools}`;
  const known = answers.get(message);
  if (known?.target === key) return known;
  const translated = translateAnew(message, model, target, names);
  // A call gets its names from the request that it is a part of.
  if (message.calls.length === 0 && translated.calls.size === 0)
    answers.set(message, { ...translated, target: key });
  return translated;
}

function translateAnew(
  message: AnswerMessage,
  model: string,
  { provider, thinkingReplay, callsTools }: PromptTarget,
  names: Names,
): AssistantParts {
  if (!callsTools && message.native) return translateToForms(message);
  const calls = new Map<string, WireCall>();
  const raw = message.provider === provider ? readRaw(message.raw, provider, model) : null;
  const content: Assistant["content"] = [];
  const field = thinkingField(raw ?? [], thinkingReplay);
  const call = (part: WireCall & { readonly input: JSONObject }, own: string, rest: object = {}): void => {
    calls.set(own, part);
    content.push({ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input, ...rest });
  };
  if (raw === null && message.text.trim() !== "") content.push({ type: "text", text: message.text });
  if (raw === null && message.native) {
    for (const { id, action } of message.calls) {
      call({ id: names.call(id), ...argumentsOf(action, names) }, id);
    }
  }
  for (const part of raw ?? []) {
    const rest = optionsOf(part);
    if (part.kind === "text" && (part.text.trim() !== "" || part.metadata !== null))
      content.push({ type: "text", text: part.text, ...rest });
    if (part.kind === "thinking" && field === null && (thinkingReplay !== "none" || part.metadata !== null)) {
      content.push({ type: "reasoning", text: part.text, ...rest });
    }
    if (part.kind === "call") {
      const input = parseObject(part.argumentsText);
      const note = `[a call of ${part.name} whose arguments could not be read]`;
      if (input === null) content.push({ type: "text", text: note });
      else call({ id: part.id, name: names.tool(part.name), input }, part.id, rest);
    }
  }
  return { content, calls, rest: field === null ? {} : { providerOptions: { openaiCompatible: field } } };
}

/** The field of the message that takes the thinking of an answer; null where its parts take it. */
function thinkingField(raw: readonly RawPart[], replay: PromptTarget["thinkingReplay"]): JSONObject | null {
  for (const { metadata } of raw) {
    const details = replayOfDetails(metadata);
    if (details !== null) return mutableObject(details);
  }
  if (replay !== "reasoning") return null;
  const text = raw.flatMap((part) => (part.kind === "thinking" ? [part.text] : [])).join("");
  return text === "" ? {} : { reasoning: text };
}

/** The calls of a message as forms, each on a line, as a model without tool calls would have written them. */
function translateToForms({ text, calls }: Extract<Message, { role: "assistant" }>): AssistantParts {
  const forms = calls.map(({ action }) => JSON.stringify(action));
  const whole = [text.trim(), ...forms].filter((line) => line !== "").join("\n");
  return { content: whole === "" ? [] : [{ type: "text", text: whole }], calls: new Map(), rest: {} };
}

function argumentsOf({ target, payload, explanation }: Call["action"], names: Names) {
  const { tool, args } = payload;
  const named = target === "tool" && typeof tool === "string";
  const given = named && isJsonObject(args) ? args : named ? {} : payload;
  return { name: names.tool(named ? tool : target), input: mutableObject({ ...given, explanation }) };
}

/** The results of an answer's calls, which stand in the messages from one on, before the next answer. */
function resultParts(
  calls: ReadonlyMap<string, WireCall>,
  { messages, from }: { readonly messages: readonly Message[]; readonly from: number },
  numbered: Numbered,
): LanguageModelV4ToolResultPart[] {
  const results = new Map<string, ToolResult>();
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined || message.role === "assistant") break;
    if (message.role === "result" && message.native) results.set(message.callId, message.result);
  }
  return [...calls].map(([own, { id, name }]) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: outputOf(results.get(own), numbered),
  }));
}

function outputOf(
  result: ToolResult | undefined,
  numbered: Numbered,
): LanguageModelV4ToolResultPart["output"] {
  if (result === undefined) return { type: "error-text", value: "This call was not run." };
  const { outcome } = result;
  if (outcome.status === "error") return { type: "error-text", value: `${outcome.code}: ${outcome.message}` };
  const content = numbered.get(result) ?? outcome.content;
  return typeof content === "string"
    ? { type: "text", value: content }
    : { type: "json", value: mutable(content) };
}

function plainText(
  message: Exclude<Message, { role: "assistant" | "attachment" }>,
  numbered: Numbered,
): string {
  if (message.role !== "result") return message.text;
  const { tool, outcome } = message.result;
  if (outcome.status === "error") return `ERROR [${tool}]: ${outcome.message}`;
  const content = numbered.get(message.result) ?? outcome.content;
  return `TOOL [${tool}] RESULT: ${typeof content === "string" ? content : JSON.stringify(content)}`;
}

function declare(
  { name, description, parameters }: ToolDeclaration,
  names: Names,
): LanguageModelV4FunctionTool {
  const inputSchema = schemas.get(parameters) ?? mutableObject(parameters);
  schemas.set(parameters, inputSchema);
  return { type: "function", name: names.tool(name), description, inputSchema };
}

function optionsOf(part: RawPart): { providerOptions?: SharedV4ProviderOptions } {
  if (part.metadata === null) return {};
  const entries = Object.entries(part.metadata).flatMap(([key, value]) =>
    isJsonObject(value) ? [[key, mutableObject(value)] as const] : [],
  );
  return { providerOptions: Object.fromEntries(entries) };
}

/**
 * The explanation comes last, as it does for another model, so that a prompt stays the same where the model
 * changes.
 */
function parseObject(text: string): JSONObject | null {
  const value = parseJson(text === "" ? "{}" : text);
  if (!isJsonObject(value) || nestsDeeper(value, deepestWritten)) return null;
  const { explanation, ...args } = value;
  return mutableObject(explanation === undefined ? args : { ...args, explanation });
}

function mutableObject(value: JsonObject): JSONObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mutable(item)]));
}

function mutable(value: Json): JSONValue {
  if (isJsonObject(value)) return mutableObject(value);
  return Array.isArray(value) ? value.map((item: Json) => mutable(item)) : value;
}
