import type { Action } from "../signal/action.ts";
import type { JsonObject } from "../signal/json.ts";
import type { Message } from "../signal/message.ts";
import { formatResult } from "./format-result.ts";
import type { ParsedAnswer } from "./parse/parse-answer.ts";

/** What the reflex engine sees: the messages of this turn, and the tools that may be proposed. */
export type ReflexInput = {
  readonly messages: readonly Message[];
  readonly tools: readonly string[];
  /** The id that a call gets: unique in its session. */
  readonly callId: string;
};

/** How each verb is used; the first word is the verb. */
const usages: readonly (readonly [verbs: RegExp, form: string, does: string])[] = [
  [/^(?:read|show|cat)$/i, "read PATH", "show a file"],
  [/^(?:list|ls)$/i, "list [PATH]", "list a folder"],
  [/^(?:search|grep)$/i, "search PATTERN", "search the files here"],
  [/^(?:run|[$!])$/i, "run CMD, $ CMD", "run a command; what is not proved harmless asks first"],
  [/^write$/i, "write PATH: TEXT", "write a file"],
  [/^(?:note|remember|capture)$/i, "note TEXT", "keep a note"],
  [/^recall$/i, "recall QUERY", "search what was kept"],
  [/^agenda$/i, "agenda [DAY]", "what is due from today or another day, a week long"],
  [/^fetch$/i, "fetch URL", "fetch a page; asks first"],
  [/^eval$/i, "eval CODE", "evaluate JavaScript in the jail"],
];

const help = `No model is set up, so I answer by reflex: offline, at zero tokens. I understand
${usages.map(([, form, does]) => `  ${form.padEnd(18)} ${does}`).join("\n")}
and the commands that /help lists. To have a model answer, name one in the environment or in
the .env file of the configuration folder, for example
  PROVIDER_CASCADE=ollama
  OLLAMA_MODEL=qwen3:8b
and start again. \`passepartout doctor\` says what is still missing.`;

const howToAnswer =
  "To answer a question: /approve TOKEN or /deny TOKEN (in a conversation, /approve alone means the last one).";

/** Thinks without a model, the same every time: one line of a small language is one action, its result is the reply, and anything else is told what works. */
export function reflex({ messages, tools, callId }: ReflexInput): ParsedAnswer {
  const at = messages.findLastIndex((message) => message.role === "user");
  const words = messages[at];
  if (words?.role !== "user") return { kind: "reply", text: help };
  const since = messages.slice(at + 1);
  const last = since.at(-1);
  if (last?.role === "rejection") {
    const reason = last.text.replace(/^PREVIOUS PROPOSAL REJECTED: /, "");
    return { kind: "reply", text: `This was not done. ${reason}` };
  }
  const results = since.flatMap((message) =>
    message.role === "result" ? [formatResult(message.result)] : [],
  );
  if (results.length > 0) return { kind: "reply", text: results.join("\n\n") };
  const wish = understand(words.text.trim());
  if (wish === null) return { kind: "reply", text: advise(words.text.trim()) };
  if (!tools.includes(wish.tool)) {
    return { kind: "reply", text: `The tool ${wish.tool} is not available here, so I cannot ${wish.deed}.` };
  }
  const asker = words.label.integrity === "user" ? "The owner" : "Somebody";
  const action: Action = { ...actionOf(wish), explanation: `${asker} asked to ${wish.deed}.` };
  return { kind: "calls", note: "", calls: [{ id: callId, action }], native: false };
}

type Wish = { readonly tool: string; readonly args: JsonObject; readonly deed: string };
type Verb = { readonly pattern: RegExp; readonly wish: (first: string, second: string) => Wish };

const verbs: readonly Verb[] = [
  {
    pattern: /^(?:read|show|cat)[ \t]+(.+)$/i,
    wish: (path) => ({
      tool: "read-file",
      args: { path: unquoted(path) },
      deed: `read the file ${shown(path)}`,
    }),
  },
  {
    pattern: /^(?:list|ls)(?:[ \t]+(.+))?$/i,
    wish: (path) => ({
      tool: "list-files",
      args: { path: unquoted(path) || "." },
      deed: `list the folder ${shown(path || ".")}`,
    }),
  },
  {
    pattern: /^(?:search|grep)[ \t]+(.+)$/i,
    wish: (pattern) => ({
      tool: "search-files",
      args: { pattern: unquoted(pattern) },
      deed: `search the files for ${shown(pattern)}`,
    }),
  },
  {
    pattern: /^(?:run[ \t]+|[$!][ \t]*)(\S[\s\S]*)$/i,
    wish: (cmd) => ({ tool: "shell", args: { cmd }, deed: `run the command ${shown(cmd)}` }),
  },
  {
    pattern: /^write[ \t]+("[^"\n]+"|[^\s:]+):[ \t]*(\S[\s\S]*)$/i,
    wish: (path, content) => ({
      tool: "write-file",
      args: { path: unquoted(path), content: content.endsWith("\n") ? content : `${content}\n` },
      deed: `write the file ${shown(path)}`,
    }),
  },
  {
    pattern: /^(?:note|remember|capture)[ \t]+(\S[\s\S]*)$/i,
    wish: (text) => ({ tool: "remember", args: { text }, deed: "keep a note" }),
  },
  {
    pattern: /^recall[ \t]+(.+)$/i,
    wish: (query) => ({
      tool: "recall",
      args: { query, private: true },
      deed: "search what was kept",
    }),
  },
  {
    pattern: /^agenda(?:[ \t]+(\S+))?$/i,
    wish: (day) => ({
      tool: "agenda",
      args: day === "" ? {} : { from: day },
      deed: `show the agenda from ${shown(day || "today")}`,
    }),
  },
  {
    pattern: /^fetch[ \t]+(https?:\/\/\S+)$/i,
    wish: (url) => ({ tool: "fetch-url", args: { url }, deed: `fetch the page ${shown(url)}` }),
  },
  {
    pattern: /^eval[ \t]+(\S[\s\S]*)$/i,
    wish: (code) => ({ tool: "eval", args: { code }, deed: `evaluate the code ${shown(code)}` }),
  },
];

function understand(text: string): Wish | null {
  for (const { pattern, wish } of verbs) {
    const match = pattern.exec(text);
    if (match !== null) return wish(match[1]?.trimEnd() ?? "", match[2] ?? "");
  }
  return null;
}

/** What is said to a line that is none of the language: how its verb is used, how a question is answered, or all that works. */
function advise(text: string): string {
  if (/^(?:(?:yes|y|no|n)[.!]?|(?:approve|deny)(?:[ \t]+\S+)?)$/i.test(text)) return howToAnswer;
  const [first = ""] = text.split(/[\s:]/, 1);
  const usage = usages.find(([verb]) => verb.test(first));
  if (usage === undefined) return help;
  const [, form, does] = usage;
  return `This does not fit. Use: ${form}   (${does})`;
}

function actionOf({ tool, args }: Wish): Omit<Action, "explanation"> {
  return tool === "shell" ? { target: "shell", payload: args } : { target: "tool", payload: { tool, args } };
}

function unquoted(text: string): string {
  return /^(["'`])(.+)\1$/.exec(text)?.[2] ?? text;
}

function shown(text: string): string {
  const [line = ""] = unquoted(text).split("\n", 1);
  return line.length > 80 || line.length < text.trim().length - 2 ? `${line.slice(0, 80)}…` : line;
}
