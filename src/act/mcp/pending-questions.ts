import { sha256 } from "../../machine/digest.ts";
import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { AskedQuestion } from "./asked-input.ts";
import { asksForSecret } from "./asks-for-secret.ts";
import { cleanText } from "./clean-text.ts";
import { answersArgument } from "./list-tools.ts";

/** A question of a server about a call. `state` goes back to the server unread. */
export type PendingQuestion = {
  readonly session: string;
  readonly requests: JsonObject;
  readonly state: string | null;
  readonly questions: readonly AskedQuestion[];
};

/** The open questions of servers, by call. They live in this process alone, and a new question about a call replaces the one before. */
export type PendingQuestions = {
  readonly keep: (tool: string, args: JsonObject, question: PendingQuestion) => void;
  /** Null where nothing was asked about this very call in the session. */
  readonly find: (tool: string, args: JsonObject, session: string) => PendingQuestion | null;
};

const mostPending = 50;
/** The longest question with its state, in bytes. The longest answer, in characters: its owner sees it whole. */
export const largestQuestion = 65_536;
const longestAnswer = 1000;

/** The SHA-256 of what a server asked: a yes to answers is a yes to exactly this question. */
export function questionDigest({ requests, state }: Pick<PendingQuestion, "requests" | "state">): string {
  return sha256(canonicalJson([requests, state]));
}

export function openPendingQuestions(): PendingQuestions {
  const pending = new Map<string, PendingQuestion>();
  const keyOf = (tool: string, args: JsonObject, session: string): string =>
    sha256(canonicalJson([tool, args, session]));
  return {
    keep(tool, args, question) {
      const key = keyOf(tool, args, question.session);
      pending.delete(key);
      pending.set(key, question);
      if (pending.size > mostPending) for (const oldest of pending.keys().take(1)) pending.delete(oldest);
    },
    find: (tool, args, session) => pending.get(keyOf(tool, args, session)) ?? null,
  };
}

/** The answers by the server's own names of its questions, or the reason why they do not fit. */
export type ReadAnswers =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly reason: string };

/** Reads the answers of a repeated call. They must have the fields of the form: no others, and no required one missing. */
export function readAnswers({ questions }: PendingQuestion, given: Json): ReadAnswers {
  const values: [string, Json][] = [];
  for (const [index, { key, fields }] of questions.entries()) {
    const own =
      questions.length === 1 ? given : isJsonObject(given) ? (given[String(index + 1)] ?? null) : null;
    if (!isJsonObject(own))
      return { ok: false, reason: `${answersArgument} has no fields. It needs ${namesOf(fields)}.` };
    const strange = Object.keys(own).find((name) => !fields.some((field) => field.name === name));
    const missing = fields.find(({ name, required }) => required && !Object.hasOwn(own, name));
    if (strange !== undefined || missing !== undefined)
      return {
        ok: false,
        reason: `${answersArgument} must have the fields ${namesOf(fields)}, and no others.`,
      };
    if (!Object.values(own).every(isPlain))
      return { ok: false, reason: `${answersArgument} takes texts, numbers, yes or no, and lists of texts.` };
    if (Object.values(own).some((value) => wordsOf(value).length > longestAnswer))
      return { ok: false, reason: `an answer has at most ${longestAnswer} characters.` };
    if (asksForSecret(Object.keys(own))) return { ok: false, reason: "a server gets no secret." };
    values.push([key, own]);
  }
  return { ok: true, values: Object.fromEntries(values) };
}

function namesOf(fields: AskedQuestion["fields"]): string {
  return fields.map(({ name }) => name).join(", ");
}

function isPlain(value: Json): boolean {
  return isJsonArray(value) ? value.every((item) => typeof item === "string") : typeof value !== "object";
}

/** The questions with their answers, for the owner. */
export function describeAnswers({ questions }: PendingQuestion, values: JsonObject): readonly string[] {
  return questions.map(({ key, message }) => {
    const own = Object.hasOwn(values, key) ? (values[key] ?? null) : null;
    const said = isJsonObject(own)
      ? Object.entries(own).map(([name, value]) => `${name}: ${wordsOf(value)}`)
      : [];
    return `"${message}" ${said.join(", ")}`;
  });
}

function wordsOf(value: Json): string {
  return cleanText(typeof value === "string" ? value : JSON.stringify(value), Number.MAX_SAFE_INTEGER);
}

/** Tells the model about a server's questions. The server's words are in quotes; the values must come from the owner. */
export function describeQuestions(server: string, questions: readonly AskedQuestion[]): string {
  const asked = questions.map(({ message, fields }, index) => {
    const form = fields.map(describeField).join(", ");
    return `${questions.length === 1 ? "" : `${index + 1}. `}"${message}": ${form}`;
  });
  const shape = questions.length === 1 ? "{FIELD: VALUE, …}" : '{"1": {FIELD: VALUE, …}, …}';
  return `The server ${server} asks the owner before it goes on. ${asked.join(" ")} Where the owner's words answer it, call the tool again with the same arguments and ${answersArgument} ${shape}: the owner is shown the question and the answers. Else ask the owner in your reply. Never make an answer up.`;
}

function describeField({
  name,
  type,
  description,
  required,
  options,
}: AskedQuestion["fields"][number]): string {
  const about = [
    type,
    required ? "required" : "optional",
    description,
    options === undefined ? "" : `one of ${options.join(", ")}`,
  ];
  return `${name} (${about.filter((part) => part !== "").join("; ")})`;
}
