import { formatResult } from "../shown/format-result.ts";
import type { Action } from "../signal/action.ts";
import { failedOutcome } from "../signal/failed-outcome.ts";
import { lastTries, lostRace, mostTries, racesLost } from "../signal/lost-race.ts";
import type { Message } from "../signal/message.ts";
import type { ToolResult } from "../signal/tool.ts";
import { readCallLines } from "../text/call-line.ts";
import { beginOf } from "../text/cut-text.ts";
import type { JsonObject } from "../text/json.ts";
import { nearestName } from "../text/nearest-name.ts";
import type { ParsedAnswer } from "./parse/parse-answer.ts";

/** What the first words of a turn mean: other words, or a call. */
export type ReflexLine = string | Request;

/** The input of the reflex engine: the messages of the turn, and the tools that may be proposed. */
export type ReflexInput = {
  readonly messages: readonly Message[];
  readonly tools: readonly string[];
  /** What the first words stand for; left out where they are taken as they are. */
  readonly line?: ReflexLine | null;
  /** The id for the call; unique in its session. */
  readonly callId: string;
  /** The home folder, which stands as `~` in the reply; left out where no reply is told. */
  readonly home?: string;
};

/** The usage of each verb. */
const usages: readonly (readonly [verbs: RegExp, form: string, does: string])[] = [
  [/^(?:read|show|cat|open|less|view)$/i, "read PATH [from LINE]", "show a file"],
  [/^(?:list|ls|dir)$/i, "list [PATH]", "list a folder"],
  [/^(?:search|grep|find)$/i, "search PATTERN", "search the files here"],
  [/^(?:run|[$!])$/i, "run CMD, $ CMD", "run a command; what is not proved harmless asks first"],
  [/^write$/i, "write PATH: TEXT", "write a file"],
  [/^(?:note|remember|capture)$/i, "note TEXT", "keep a note"],
  [/^recall$/i, "recall QUERY", "search what was kept"],
  [/^agenda$/i, "agenda [DAY]", "what is due from today or another day, a week long"],
  [/^fetch$/i, "fetch URL", "fetch a page; asks first"],
  [/^eval$/i, "eval CODE", "evaluate JavaScript in the jail"],
];

const help = `No model is set up, so I answer by reflex: offline, at zero tokens. I understand
${usages.map(([, form, does]) => `  ${form.padEnd(21)} ${does}`).join("\n")}
and the commands that /help lists. To have a model answer, leave by /exit, and run
  passepartout setup
which finds Ollama on this machine, or takes a key.
\`passepartout doctor\` says what is still missing.`;

const howToAnswer =
  "No question waits here. A question is answered by y or n where it is shown, and by /approve TOKEN or /deny TOKEN everywhere.";

/** What people say to hear what there is to say. */
const asksForHelp = /^(?:help|hilfe|h|\?+|commands|usage|what can (?:you|i) do)\s*[?!.]*$/i;
const greets = /^(?:hi|hello|hey|hallo|moin|good (?:morning|evening))\b[\s\S]{0,20}$/i;

/** Answers without a model, always in the same way: a line such as `read PATH` becomes one action, whose result is the reply; of several calls each is made once the one before came off, and made again, a few times, where something else changed its file at the same moment; any other text gets the help. */
export function reflex({ messages, tools, callId, line = null, home = "" }: ReflexInput): ParsedAnswer {
  const at = messages.findLastIndex((message) => message.role === "user");
  const words = messages[at];
  if (words?.role !== "user") return { kind: "reply", text: help };
  const since = messages.slice(at + 1);
  const last = since.at(-1);
  if (last?.role === "rejection") {
    const reason = last.text.replace(/^PREVIOUS PROPOSAL REJECTED: /, "");
    return { kind: "reply", text: `This was not done. ${reason}` };
  }
  const made = since.flatMap((message) => (message.role === "result" ? [message.result] : []));
  const results = lastTries(made);
  const lost = racesLost(made);
  const isMadeAgain = lost > 0 && lost < mostTries;
  const meant = at === 0 && line !== null ? line : words.text;
  const requests = typeof meant === "string" ? readRequests(meant.trim()) : [meant];
  const failed = results.some(({ outcome }) => failedOutcome(outcome) !== null);
  if (results.length > 0 && !isMadeAgain && (failed || results.length >= requests.length))
    return { kind: "reply", text: results.map((result) => describeResult(result, home)).join("\n\n") };
  const request = requests[isMadeAgain ? results.length - 1 : results.length];
  if (request === undefined) return { kind: "reply", text: helpFor(words.text.trim()) };
  if (!tools.includes(request.tool)) {
    return {
      kind: "reply",
      text: `The tool ${request.tool} is not available here, so I cannot ${request.description}.`,
    };
  }
  const asker = words.label.integrity === "user" ? "The owner" : "Somebody";
  const action: Action = { ...actionOf(request), explanation: `${asker} asked to ${request.description}.` };
  return { kind: "calls", note: "", calls: [{ id: callId, action }], native: false };
}

/** How many calls a text asks for; 0 where it is no line that is understood without a model. */
export function countRequests(text: string): number {
  return readRequests(text.trim()).length;
}

/** A result as the person is told it who asked for it. What a lost race says itself advises a model. */
function describeResult(result: ToolResult, home: string): string {
  if (!lostRace(result)) return formatResult(result, home);
  return `ERROR [${result.tool}]: Something else changed the file each time that this was tried, ${mostTries} times, so nothing was written. Say it again.`;
}

/** A call that words ask for; `description` says what for, as an infinitive. */
type Request = { readonly tool: string; readonly args: JsonObject; readonly description: string };
type Verb = { readonly pattern: RegExp; readonly request: (first: string, second: string) => Request };

/** Lines of a file that are shown at once. */
const shownLines = 200;

const verbs: readonly Verb[] = [
  {
    pattern:
      /^(?:(?:list|show)(?:[ \t]+(?:me|all|the|my))*[ \t]+(?:files|folders?|directory)(?:[ \t]+here)?|(?:ls|dir|list)(?:[ \t]+-\w+)*|what files are (?:here|there))[?.!]?$/i,
    request: () => ({ tool: "list-files", args: { path: "." }, description: "list the folder ." }),
  },
  {
    pattern:
      /^(?:read|show|cat|open|less|view)(?:[ \t]+(?:me|the|file))*[ \t]+(.+?)(?:[ \t]+(?:from|offset:?)(?:[ \t]+line)?[ \t]+(\d{1,9}))?$/i,
    request: (path, from) => ({
      tool: "read-file",
      args: { path: unquoted(path), ...(from === "" ? {} : { offset: Number(from) }), limit: shownLines },
      description: `read the file ${shown(path)}`,
    }),
  },
  {
    pattern:
      /^(?:list|ls|dir)(?:[ \t]+-\w+)*(?:[ \t]+(?:all[ \t]+|the[ \t]+)*files[ \t]+(?:in|of))?[ \t]+(.+)$/i,
    request: (path) => ({
      tool: "list-files",
      args: { path: unquoted(path) || "." },
      description: `list the folder ${shown(path || ".")}`,
    }),
  },
  {
    pattern: /^(?:search|grep|find)(?:[ \t]+(?:-[a-z]+|for))*[ \t]+(.+?)(?:[ \t]+\.)?$/i,
    request: (pattern) => ({
      tool: "search-files",
      args: { pattern: unquoted(pattern) },
      description: `search the files for ${shown(pattern)}`,
    }),
  },
  {
    pattern: /^(pwd|date|whoami|git[ \t]+[a-z]\S*.*|(?:head|tail|wc)[ \t]+\S*[./]\S*.*)$/,
    request: (cmd) => ({ tool: "shell", args: { cmd }, description: `run the command ${shown(cmd)}` }),
  },
  {
    pattern: /^(?:run[ \t]+|[$!][ \t]*)(\S[\s\S]*)$/i,
    request: (cmd) => ({ tool: "shell", args: { cmd }, description: `run the command ${shown(cmd)}` }),
  },
  {
    pattern: /^write[ \t]+("[^"\n]+"|[^\s:]+):[ \t]*(\S[\s\S]*)$/i,
    request: (path, content) => ({
      tool: "write-file",
      args: { path: unquoted(path), content: content.endsWith("\n") ? content : `${content}\n` },
      description: `write the file ${shown(path)}`,
    }),
  },
  {
    pattern: /^(?:note|remember|capture)[ \t]+(\S[\s\S]*)$/i,
    request: (text) => ({ tool: "remember", args: { text }, description: "keep a note" }),
  },
  {
    pattern: /^recall[ \t]+(.+)$/i,
    request: (query) => ({
      tool: "recall",
      args: { query, private: true },
      description: "search what was kept",
    }),
  },
  {
    pattern: /^(?:agenda|due|what(?:'s| is) due)(?:[ \t]+(?:this[ \t]+week|(\S+?)))?[?!.]?$/i,
    request: (day) => ({
      tool: "agenda",
      args: day === "" || /^today$/i.test(day) ? {} : { from: day.replace(/^tomorrow$/i, "+1d") },
      description: `show the agenda from ${shown(day || "today")}`,
    }),
  },
  {
    pattern: /^fetch[ \t]+(https?:\/\/\S+)$/i,
    request: (url) => ({ tool: "fetch-url", args: { url }, description: `fetch the page ${shown(url)}` }),
  },
  {
    pattern: /^eval[ \t]+(\S[\s\S]*)$/i,
    request: (code) => ({ tool: "eval", args: { code }, description: `evaluate the code ${shown(code)}` }),
  },
];

/** What a text asks for: calls, one a line, or one thing in words; empty where it is neither. */
function readRequests(text: string): readonly Request[] {
  const calls = readCallLines(text);
  if (calls !== null) return calls.map((call) => ({ ...call, description: `call ${call.tool}` }));
  const request = readRequest(text);
  return request === null ? [] : [request];
}

function readRequest(text: string): Request | null {
  for (const { pattern, request } of verbs) {
    const match = pattern.exec(text);
    if (match !== null) return request(match[1]?.trimEnd() ?? "", match[2] ?? "");
  }
  return null;
}

/** The reply to a line that is no command: the usage of its verb, how to answer a question, or the whole help. */
function helpFor(text: string): string {
  if (asksForHelp.test(text)) return help;
  if (greets.test(text)) return `Hello. ${withoutModel}`;
  if (/^(?:(?:yes|y|no|n)[.!]?|(?:approve|deny)(?:[ \t]+\S+)?)$/i.test(text)) return howToAnswer;
  const [first = ""] = text.split(/[\s:]/, 1);
  const usage = usages.find(([verb]) => verb.test(first));
  if (usage === undefined) return notUnderstood(first);
  const [, form, does] = usage;
  return `This does not fit. Use: ${form}   (${does})`;
}

const withoutModel =
  "No model is set up, so I understand short commands only: help lists them, and /setup says how to set one up.";

/** The nearest verb is named where there is one. */
function notUnderstood(first: string): string {
  const near = nearestName(first.toLowerCase(), [...verbNames.keys()]);
  const form = near === null ? undefined : verbNames.get(near);
  const hint = form === undefined ? "" : ` Did you mean: ${form}?`;
  return `I do not understand this.${hint} ${withoutModel}`;
}

/** The usage of each verb by its first name. */
const verbNames: ReadonlyMap<string, string> = new Map(
  usages.map(([, form]) => [/^\w+/.exec(form)?.[0] ?? "", form]),
);

function actionOf({ tool, args }: Request): Omit<Action, "explanation"> {
  return tool === "shell" ? { target: "shell", payload: args } : { target: "tool", payload: { tool, args } };
}

function unquoted(text: string): string {
  return /^(["'`])(.+)\1$/.exec(text)?.[2] ?? text;
}

function shown(text: string): string {
  const [line = ""] = unquoted(text).split("\n", 1);
  return line.length > 80 || line.length < text.trim().length - 2 ? `${beginOf(line, 80)}…` : line;
}
