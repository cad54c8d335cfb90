import type { Call } from "../../signal/action.ts";
import { endingOf } from "../../signal/failed-outcome.ts";
import { bottomLabel, joinConversationLabels, joinLabels, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { type Turn, takenBackCode } from "../../signal/turn.ts";
import { shorten } from "../../text/cut-text.ts";
import { canonicalJson } from "../../text/json.ts";

/** A text that was said in a session, or a line on a call. */
export type TranscriptEntry = {
  readonly id: string;
  readonly session: string;
  readonly turn: string | null;
  /** `owner`, `agent`, `other`, or a name: a question that names the speaker, or says "I" or "you", means these words. */
  readonly speaker: string;
  /** Unix milliseconds; null if the time is not known. */
  readonly at: number | null;
  readonly text: string;
  readonly label: Label;
};

/** The maximum number of characters of the arguments in a line on a call. */
const longestArguments = 300;

/**
 * The entries of a finished turn, in order: the person's words whole, each call in a line, and the agent's words beside the calls and at the end.
 * A search by command has no entries: the texts that it found are entries already, and the next search would
 * find them twice. Nor have words that were taken back.
 */
export function transcriptOf(turn: Turn): readonly TranscriptEntry[] {
  if (turn.code === takenBackCode) return [];
  if (/^\s*\/search\s/i.test(turn.signal.text) && turn.signal.person === "owner") return [];
  const results = new Map(
    turn.messages.flatMap((message) => (message.role === "result" ? [[message.callId, message.result]] : [])),
  );
  const { text, label, at, person } = turn.signal;
  const said: readonly Omit<TranscriptEntry, "id" | "session" | "turn">[] = [
    { speaker: person === "owner" ? "owner" : "other", at, text, label },
    ...turn.messages
      .flatMap((message) => byAgent(message, results))
      .map((line) => ({ ...line, speaker: "agent", at: turn.updatedAt })),
    ...(isSaid(turn) || turn.text === ""
      ? []
      : [{ speaker: "agent", at: turn.updatedAt, text: turn.text, label: labelOfReply(turn) }]),
  ];
  return said.map((entry, place) => ({
    ...entry,
    id: `${turn.id}:${place + 1}`,
    session: turn.session,
    turn: turn.id,
  }));
}

type Line = { readonly text: string; readonly label: Label };

function byAgent(message: Message, results: ReadonlyMap<string, ToolResult>): readonly Line[] {
  if (message.role !== "assistant") return [];
  const { text, calls, label } = message;
  const words = calls.length === 0 || message.native ? [{ text, label }] : [];
  return [...words, ...calls.map((call) => ({ text: lineOn(call, results.get(call.id)), label }))];
}

/** `read-file {"path":"inbox.org"} to see what is due: success`. The result itself is not in it. */
function lineOn({ action: { target, payload, explanation } }: Call, result: ToolResult | undefined): string {
  const given = canonicalJson(payload);
  const short = shorten(given, longestArguments, " …");
  const outcome = result === undefined ? "not done" : endingOf(result.outcome);
  return `${target} ${short} ${explanation}: ${outcome}`;
}

/** True for a line on a call of the agent, which repeats what was asked. */
export function isLineOnCall({ speaker, text }: Pick<TranscriptEntry, "speaker" | "text">): boolean {
  return speaker === "agent" && /^\S+ \{.*: (?:success|error|not done|exit code \d+)$/s.test(text);
}

/** Whether the final text of the turn is among the assistant's messages. */
function isSaid({ messages, text }: Turn): boolean {
  return messages.some((message) => message.role === "assistant" && message.text === text);
}

function labelOfReply({ messages }: Turn): Label {
  const labels = messages.map((message) =>
    message.role === "result" ? message.result.label : message.label,
  );
  return joinLabels(joinConversationLabels(labels), { ...bottomLabel, integrity: "agent" });
}
