import { commandOf, pathOf } from "../../shown/action-text.ts";
import { endOfCall } from "../../shown/call-end.ts";
import type { Action } from "../../signal/action.ts";
import type { AttachmentMessage } from "../../signal/attachment.ts";
import { endingOf } from "../../signal/failed-outcome.ts";
import { bottomLabel, joinConversationLabels, joinLabels, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { promptLength } from "../../signal/message-length.ts";
import type { Outcome } from "../../signal/tool.ts";
import { stoppedCode, type Turn, takenBackCode } from "../../signal/turn.ts";
import { shorten } from "../../text/cut-text.ts";
import { canonicalJson } from "../../text/json.ts";
import type { Database } from "../storage/database.ts";

/** How much of a finished turn later turns see. The turn itself stays whole on disk. */
export type Compaction = "whole" | "referenced" | "summary" | "cleared";

/** The stages in the order of their numbers in the database. */
const stages: readonly Compaction[] = ["whole", "referenced", "summary", "cleared"];

/** A session is idle after so many ms without use. Where it has more than `most` turns at a stage, all but the newest `kept` go to the next stage. */
const idleAfter = 300_000;
const limits = { whole: { most: 16, kept: 8 }, referenced: { most: 40, kept: 20 } } as const;

const shortResult = 400;
const shownOfAnswer = 300;
const shownOfCall = 80;

/** The stage of a number in the database. */
export function compactionStage(number: number): Compaction {
  return stages[number] ?? "summary";
}

/**
 * Compacts the past of idle sessions by rules, a whole stage at a time, so that the prompt of a session stays the same bytes while the session is used.
 * Returns how many turns went to the next stage.
 */
export function compactSessions(database: Database, now: number): number {
  return database.transaction(
    "unforced",
    () => advance(database, "referenced", now) + advance(database, "whole", now),
  );
}

/** Brings the whole past of a session to a stage at once, as its owner asks. Gives how many turns were not there yet. */
export function shortenPast(database: Database, session: string, to: "summary" | "cleared"): number {
  const stage = stages.indexOf(to);
  return database.transaction("deferred", () =>
    database.run(
      `UPDATE turns SET compacted = ? WHERE session = ? AND compacted < ?
         AND state IN ('answered', 'blocked', 'failed', 'stopped')`,
      stage,
      session,
      stage,
    ),
  );
}

function advance(database: Database, from: "whole" | "referenced", now: number): number {
  const { most, kept } = limits[from];
  const stage = stages.indexOf(from);
  return database.run(
    `UPDATE turns SET compacted = ? WHERE number IN (
       SELECT number FROM (
         SELECT number, row_number() OVER (PARTITION BY session ORDER BY number DESC) AS age, count(*) OVER (PARTITION BY session) AS all_of_it
           FROM turns WHERE compacted < 2 AND filed = 1 AND compacted = ${stage} AND state IN ('answered', 'blocked', 'failed', 'stopped')
             AND session IN (SELECT id FROM sessions WHERE updated < ?)
       ) WHERE all_of_it > ? AND age > ?)`,
    stage + 1,
    now - idleAfter,
    most,
    kept,
  );
}

/**
 * The messages of a finished turn that later turns see, with a word on a stop, and on what of its changes
 * was taken back since. The person's own words stay whole at every stage; what they took back before it
 * began is not there.
 */
export function compactTurn(
  turn: Turn,
  stage: Compaction,
  undone: readonly string[] = [],
): readonly Message[] {
  if (turn.code === takenBackCode || stage === "cleared") return [];
  const messages = [...messagesAt(turn, stage), ...(turn.code === stoppedCode ? [wordOnStop] : [])];
  return undone.length === 0 ? messages : [...messages, wordOnUndo(turn, undone)];
}

/** Tells a model that a turn is no order that is still open. */
const wordOnStop: Message = {
  role: "user",
  text: "[From the program: this turn was stopped here, before it was done. Do no more of it, unless the owner asks for it again.]",
  label: { ...bottomLabel, integrity: "agent" },
};

function messagesAt(turn: Turn, stage: Exclude<Compaction, "cleared">): readonly Message[] {
  switch (stage) {
    case "whole":
      return turn.messages.map(withoutEcho);
    case "referenced":
      return turn.messages.map(withoutEcho).map(referenced);
    case "summary": {
      const summary = [...turn.messages.filter(({ role }) => role === "user"), summaryOf(turn)];
      const whole = messagesAt(turn, "referenced");
      return sizeOf(summary) < sizeOf(whole) ? summary : whole;
    }
  }
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + promptLength(message), 0);
}

/** Paths that a word on an undo names. */
const mostNamed = 20;

/** Tells a model that changes of a turn are not there any more. */
export function wordOnUndo(turn: Pick<Turn, "messages">, undone: readonly string[]): Message {
  const more = undone.length > mostNamed ? `, and ${undone.length - mostNamed} more` : "";
  const named = undone.slice(0, mostNamed).join(", ");
  const text = `[From the program: what was changed here was taken back since: ${named}${more}. None of these changes is there now, whatever is said above. Look at a file before you rely on it.]`;
  return { role: "user", text, label: labelOfAgent(turn.messages) };
}

function labelOfAgent(messages: readonly Message[]): Label {
  return joinLabels(joinConversationLabels(messages.map(labelOf)), { ...bottomLabel, integrity: "agent" });
}

/** Without a model the reply to a call is its result in words: later turns see the result once. */
function withoutEcho(message: Message, at: number, messages: readonly Message[]): Message {
  const isEcho =
    message.role === "assistant" && message.provider === "reflex" && messages[at - 1]?.role === "result";
  return isEcho ? { ...message, text: "[The owner was shown this result.]" } : message;
}

/** Replaces a long result or file by a reference, and removes the raw parts, which a provider needs only within the turn. */
function referenced(message: Message): Message {
  if (message.role === "assistant") return { ...message, raw: null };
  if (message.role === "attachment") return { ...message, text: leftOut(message), textOnly: true };
  if (message.role !== "result" || message.result.outcome.status !== "success") return message;
  const { id, outcome } = message.result;
  const { length } = canonicalJson(outcome.content);
  if (length <= shortResult) return message;
  const content = { reference: id, characters: length, note: "left out since it is old; call again for it" };
  return { ...message, result: { ...message.result, outcome: { status: "success", content } } };
}

/** What stands for a file of an old turn. */
function leftOut({ text, file: { path } }: AttachmentMessage): string {
  if (text !== "" && text.length <= shortResult) return text;
  return `[left out since it is old; it was ${path}, which may be another file now]`;
}

/** A line on what was done and answered, with the id under which memory has all of it. */
function summaryOf({ id, messages, text, state }: Turn): Message {
  const rest = messages.filter(({ role }) => role !== "user");
  const actions = new Map<string, Action>();
  const names = new Map<string, number>();
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.calls) actions.set(call.id, call.action);
    if (message.role !== "result") continue;
    const name = `${message.result.tool}${objectOf(actions.get(message.callId))}: ${endOf(message.result.outcome)}`;
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  const calls = [...names]
    .map(([name, count]) => (count === 1 ? name : `${name}, ${count} times`))
    .join("; ");
  const answer = shorten(text, shownOfAnswer, " …");
  const line = `[Turn ${id} in short: ${state}. ${calls === "" ? "No calls." : `Calls: ${calls}.`} recall "${id}" gives all that was said.]\n${answer}`;
  return {
    role: "assistant",
    text: line,
    calls: [],
    native: true,
    provider: "compaction",
    raw: null,
    label: labelOfAgent(rest),
  };
}

/** How a call ended: that the owner denied it, or that it did not run, is no error. */
function endOf(outcome: Outcome): string {
  if (outcome.status === "success") return endingOf(outcome);
  const end = endOfCall({ status: "error", code: outcome.code, content: null });
  if (end === "denied") return "denied by the owner";
  return end === "failed" ? "error" : end;
}

/** The file or command that a call was about. */
function objectOf(action: Action | undefined): string {
  const about = action === undefined ? null : (pathOf(action) ?? commandOf(action));
  if (about === null) return "";
  return ` ${JSON.stringify(about.length > shownOfCall ? `${about.slice(0, shownOfCall).toWellFormed()} …` : about)}`;
}

function labelOf(message: Message): Label {
  return message.role === "result" ? message.result.label : message.label;
}
