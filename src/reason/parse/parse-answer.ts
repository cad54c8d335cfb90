import type { Call } from "../../signal/action.ts";
import type { Form, FormReading, PlistReading } from "../../text/form.ts";
import { isJsonObject } from "../../text/json.ts";
import type { ModelCall } from "../model/model-port.ts";
import { foldKey } from "./dialect.ts";
import { jsonDialect } from "./json-dialect.ts";
import { plistDialect } from "./plist-dialect.ts";
import { isQuotation } from "./quotation.ts";
import { readJson, readJsonObject } from "./read-json.ts";
import { type Proposal, type RegisteredActions, readProposal } from "./read-proposal.ts";
import { stripCodeFence } from "./strip-code-fence.ts";
import { readTextCalls } from "./text-calls.ts";

/** What a model's answer means. */
export type ParsedAnswer =
  /** Actions to be judged. `note` is the text beside native calls: it is shown and kept, and never read as a form. */
  | {
      readonly kind: "calls";
      readonly note: string;
      readonly calls: readonly Call[];
      readonly native: boolean;
    }
  /** A text to the person of the turn, byte for byte. It ends the turn. */
  | { readonly kind: "reply"; readonly text: string }
  /** Returned to the model with the reason; counts as a rejection. */
  | { readonly kind: "invalid"; readonly reason: string; readonly text: string };

/** A model's whole answer, and what is needed to parse it. */
export type ModelAnswer = RegisteredActions & {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The limit of tokens at which the answer was cut; null for a whole answer. */
  readonly cutAt: number | null;
  /** Whether the model has native tool calls. Then its text is never a form. */
  readonly callsTools: boolean;
  /** Whether the model may write calls as marked text. Where it has native calls, they are not run. */
  readonly writesMarks: boolean;
  /** The texts that the model was shown. A form that quotes them is a reply. */
  readonly shown: () => Iterable<string>;
  /** The message actuator of the person of the turn. */
  readonly sourceTarget: string;
  /** The id for the call of a form; unique in its session. */
  readonly formCallId: string;
  /** The Lisp reader, as a port. */
  readonly readForm: (text: string) => FormReading;
  readonly plist: (form: Form) => PlistReading;
};

/**
 * Parses an answer as native calls, else as one form where the model has no native calls, else as a reply (DESIGN.md, 6). A form that quotes what the model
 * was shown is a reply. Never throws, fills in nothing, and lets no answer decide how it is judged.
 */
export function parseAnswer(answer: ModelAnswer): ParsedAnswer {
  if (answer.calls.length > 0) return parseCalls(answer, true);
  const marked = parseMarkedCalls(answer);
  if (marked !== null) return marked;
  const bare = answer.callsTools ? answer.text.trim() : stripCodeFence(answer.text);
  if (bare === "")
    return {
      kind: "invalid",
      reason: cutReason(answer, "a call") ?? "The answer was empty.",
      text: answer.text,
    };
  const proposal = answer.callsTools ? null : parseForm(bare, answer);
  if (proposal === null || isQuotation(bare, answer.shown())) return { kind: "reply", text: answer.text };
  switch (proposal.kind) {
    case "reply":
      return proposal;
    case "invalid":
      return { ...proposal, reason: cutReason(answer, "a form") ?? proposal.reason, text: answer.text };
    case "action":
      return {
        kind: "calls",
        note: "",
        calls: [{ id: answer.formCallId, action: proposal.action }],
        native: false,
      };
  }
}

/** Why an answer that was cut came to nothing, and what to do instead; null for a whole answer. */
function cutReason({ cutAt }: ModelAnswer, where: string): string | null {
  if (cutAt === null) return null;
  return `The answer reached its limit of ${cutAt} tokens in the middle of ${where}, so the rest of it is missing and nothing was run. Do it in smaller pieces, each in an answer of its own: write the first part of a long file with write-file, then add each further part with edit-file, which replaces the last line by that line and the next part.`;
}

/** The most calls of one answer. Each call costs a preparation, a judgement, journal entries and storage. */
const mostCalls = 64;

/**
 * Calls that the model wrote as marked text act only where it has no native calls, and never if they quote what it was shown. Where it has, an
 * answer that consists of calls of its own tools goes back to it. Null if there are none.
 */
function parseMarkedCalls(answer: ModelAnswer): ParsedAnswer | null {
  if (answer.callsTools && !answer.writesMarks) return null;
  const marked = readTextCalls(answer.text, answer.formCallId);
  if (marked === null) return null;
  const { note, calls } = marked;
  if (calls.some(({ name, argumentsText }) => isQuotation(`${name} ${argumentsText}`, answer.shown()))) {
    return { kind: "reply", text: answer.text };
  }
  if (!answer.callsTools) return parseCalls({ ...answer, text: note, calls }, false);
  const known = new Set(answer.tools.map((tool) => tool.name.toLowerCase()));
  if (note !== "" || !calls.every(({ name }) => known.has(name.toLowerCase()))) return null;
  const reason =
    "The answer calls a tool in its text, which is not run. Call the tool by the function interface. Where the server does not offer it, the owner can set NAME_TOOLS=false for this provider.";
  return { kind: "invalid", reason, text: answer.text };
}

function parseCalls(answer: ModelAnswer, native: boolean): ParsedAnswer {
  const { calls, text, tools, cutAt } = answer;
  if (calls.length > mostCalls) {
    const reason = `The answer has ${calls.length} calls; at most ${mostCalls} are accepted at once. None was run. Propose fewer.`;
    return { kind: "invalid", reason, text };
  }
  const known = new Map(tools.map((tool) => [tool.name.toLowerCase(), tool.name]));
  const parsed: Call[] = [];
  const ids = new Set<string>();
  for (const call of calls) {
    const invalid = (problem: string): ParsedAnswer => ({
      kind: "invalid",
      reason: `The call ${JSON.stringify(call.id)} of ${JSON.stringify(call.name)} ${problem}. None of the calls was run.`,
      text,
    });
    if (call.name === "") return invalid("names no tool");
    if (ids.has(call.id)) return invalid("has the id of another call");
    ids.add(call.id);
    const isCut = cutAt !== null && call === calls.at(-1);
    const reading = readJsonObject(call.argumentsText.trim() === "" && !isCut ? "{}" : call.argumentsText);
    const cut = isCut && !reading.ok ? cutReason(answer, `the call of ${JSON.stringify(call.name)}`) : null;
    if (cut !== null) return { kind: "invalid", reason: cut, text };
    if (!reading.ok) return invalid(`has arguments that cannot be read: ${reading.message}`);
    const { explanation = "", ...args } = reading.value;
    if (typeof explanation !== "string") return invalid("has an explanation that is not text");
    const payload = { tool: known.get(call.name.toLowerCase()) ?? call.name, args };
    parsed.push({ id: call.id, action: { target: "tool", payload, explanation } });
  }
  return { kind: "calls", note: text, calls: parsed, native };
}

/** Null if the text is not a proposal. */
function parseForm(bare: string, answer: ModelAnswer): Proposal | null {
  if (bare.startsWith("(")) return parseLisp(bare, answer);
  return bare.startsWith("{") ? parseJson(bare, answer) : null;
}

const beginsAsLisp = /^\(\s*:?\|?(?:type|target|payload)(?![^\s()"';|])/i;
const beginsAsJson = /^\{\s*["']?(?:type|target|payload)["']?\s*:/i;
const proposalKeys: ReadonlySet<string> = new Set(["type", "target", "payload"]);

function parseLisp(text: string, answer: ModelAnswer): Proposal | null {
  const reading = answer.readForm(text);
  if (!reading.ok) {
    if (!beginsAsLisp.test(text)) return null;
    return unreadable(`${reading.message} (at character ${reading.offset})`);
  }
  const dialect = plistDialect(answer.plist);
  const whole = dialect.fields(reading.form);
  const named = whole.ok && [...whole.fields.keys()].some((key) => proposalKeys.has(key));
  if (!named && !beginsAsLisp.test(text) && !hasProposalKeyword(reading.form)) return null;
  return readProposal(reading.form, dialect, answer);
}

/** A list that is not a property list is a broken proposal if it contains one of the keys as a keyword. */
function hasProposalKeyword(form: Form): boolean {
  if (form.kind !== "list" && form.kind !== "dotted") return false;
  return form.items.some(
    (item) => item.kind === "keyword" && proposalKeys.has(foldKey(item.name.toLowerCase())),
  );
}

function parseJson(text: string, answer: ModelAnswer): Proposal | null {
  const reading = readJson(text);
  if (!reading.ok) return beginsAsJson.test(text) ? unreadable(reading.message) : null;
  if (!isJsonObject(reading.value)) return null;
  const keys = Object.keys(reading.value);
  return keys.some((key) => proposalKeys.has(foldKey(key)))
    ? readProposal(reading.value, jsonDialect, answer)
    : null;
}

function unreadable(problem: string): Proposal {
  return {
    kind: "invalid",
    reason: `The answer begins as a form but cannot be read as exactly one form: ${problem}. Answer with one form, a tool call, or plain text.`,
  };
}
