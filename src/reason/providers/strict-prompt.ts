import { hash } from "node:crypto";
import type { LanguageModelV4Message } from "@ai-sdk/provider";

type Part = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];

/** Stands where a server wants an answer between the results of calls and the words of a person. */
const noted = "Noted.";
/** Stands where a server wants the words of a person before the first answer. */
const goOn = "Go on.";

/**
 * A prompt in the form that the strictest servers take: after the system text, person and model alternate;
 * only an answer follows results; an answer has text or calls, never both; and ids of calls are nine letters
 * and digits.
 */
export function strictPrompt(prompt: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const strict: LanguageModelV4Message[] = [];
  for (const message of prompt.map(strictMessage)) {
    const last = strict.at(-1);
    if (message.role === "user" && last?.role === "user") {
      strict[strict.length - 1] = { ...last, content: joinTexts([...last.content, ...message.content]) };
    } else if (message.role === "assistant" && last?.role === "assistant") {
      const both = { ...message, content: [...last.content, ...message.content] };
      strict[strict.length - 1] = strictMessage(both);
    } else {
      if (message.role === "user" && last?.role === "tool")
        strict.push({ role: "assistant", content: [{ type: "text", text: noted }] });
      if (message.role === "assistant" && (last === undefined || last.role === "system"))
        strict.push({ role: "user", content: [{ type: "text", text: goOn }] });
      strict.push(message.role === "user" ? { ...message, content: joinTexts(message.content) } : message);
    }
  }
  return strict;
}

function strictMessage(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === "tool") {
    const content = message.content.map((part) =>
      part.type === "tool-result" ? { ...part, toolCallId: strictId(part.toolCallId) } : part,
    );
    return { ...message, content };
  }
  if (message.role !== "assistant") return message;
  const hasCalls = message.content.some(({ type }) => type === "tool-call");
  const content = message.content
    .filter(({ type }) => type !== "text" || !hasCalls)
    .map((part) => (part.type === "tool-call" ? { ...part, toolCallId: strictId(part.toolCallId) } : part));
  return { ...message, content };
}

/** Texts in a row become one text, since a template may take a text and no list. */
export function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === "text" && last?.type === "text")
      joined[joined.length - 1] = { ...part, text: `${last.text}\n\n${part.text}` };
    else joined.push(part);
  }
  return joined;
}

function strictId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : hash("sha256", id).slice(0, 9);
}
