import type { Call } from "../../signal/action.ts";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { isFinal, type Turn, withoutTold } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, text } from "../storage/rows.ts";
import { forgetAttachments } from "./attachments.ts";
import type { BlobStore } from "./blobs.ts";
import { forgottenMark } from "./is-forgotten.ts";
import { forgetJobShadow } from "./job-shadows.ts";
import { forgetProposalsFrom, forgetProposalsLabelled } from "./proposals.ts";
import { eraseResult } from "./redact.ts";
import { insertResult } from "./results.ts";
import { forgetSkillTroubles } from "./skill-troubles.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** Texts that grew from what is forgotten: these turns hold some, and the labels of all of them are derived. */
export type GrownTexts = {
  readonly turns: readonly string[];
  readonly isDerived: (label: Label) => boolean;
};

/** What forgetting turns needs. */
export type ForgetTurnParts = {
  readonly rows: TurnRows;
  /** Removes a turn from session memory. */
  readonly forgetSaid: (turn: string) => void;
  /** Brings session memory up to a turn whose texts changed. */
  readonly fileAgain: (turn: Turn) => void;
};

/** Removes the texts of these turns, as a part of the caller's transaction; gives how many of them were finished. */
export function forgetTurns(
  store: BlobStore,
  ids: readonly string[],
  { rows, forgetSaid }: ForgetTurnParts,
): number {
  const forgotten = ids.filter((id) => forgetTurn(store, rows, id));
  if (forgotten.length > 0) rows.forgetTold();
  for (const id of forgotten) forgetSaid(id);
  return forgotten.length;
}

/** Removes derived texts from turns, proposals and what is kept of failing skills, as a part of the caller's transaction; gives how many turns that were. */
export function forgetGrownTexts(
  store: BlobStore,
  grown: GrownTexts | null,
  { rows, fileAgain }: ForgetTurnParts,
): number {
  if (grown === null) return 0;
  rows.forgetTold();
  const { turns, isDerived } = grown;
  const changed = turns.flatMap((id) => forgetTextsOf({ ...store, rows }, id, isDerived) ?? []);
  for (const turn of changed) fileAgain(turn);
  forgetProposalsLabelled(store.database, isDerived);
  forgetSkillTroubles(store.database, isDerived);
  return changed.length;
}

/** Removes the texts of a finished turn; false where there is none. */
function forgetTurn(store: BlobStore, rows: TurnRows, id: string): boolean {
  const { database } = store;
  const row = database.get(`SELECT ${turnColumns} FROM turns WHERE id = ?`, id);
  if (row === undefined) return false;
  const turn = rows.read(row);
  if (!isFinal(turn.state)) return false;
  const results = turn.messages.flatMap((message) => (message.role === "result" ? [message.result] : []));
  for (const result of results) {
    const isPlaced = database.run("DELETE FROM result_places WHERE id = ?", result.id) > 0;
    if (isPlaced) insertResult(database, { result, turn: id, at: turn.updatedAt, place: null });
  }
  rows.replace(integer(row, "number"), forgottenTurn(turn));
  const ids = [id, turn.signal.id, ...results.map((result) => result.id)];
  forgetProposalsFrom(database, ids);
  forgetSkillTroubles(database, namesOneOf(ids));
  forgetAttachments(store, { session: turn.session, turn: id });
  eraseResults(database, "turn", id);
  forgetBeside(database, turn);
  return true;
}

/** Removes the texts of a finished turn that have a derived label; gives the turn as it is then, or null where it stays as it was. */
function forgetTextsOf(
  { database, rows }: BlobStore & { readonly rows: TurnRows },
  id: string,
  isDerived: (label: Label) => boolean,
): Turn | null {
  const row = database.get(`SELECT ${turnColumns} FROM turns WHERE id = ?`, id);
  const turn = row === undefined ? null : rows.read(row);
  if (row === undefined || turn === null || !isFinal(turn.state)) return null;
  const isOwn = turn.signal.person === "owner";
  const messages = turn.messages.map((message) => withoutDerived(message, { isDerived, isOwn }));
  const isAnswerDerived = messages.some((message, index) => message !== turn.messages[index]);
  if (!isAnswerDerived) return null;
  const signal = isOwn || !isDerived(turn.signal.label) ? turn.signal : withoutText(turn.signal);
  const next: Turn = {
    ...withoutTold(turn),
    signal,
    messages,
    pending: [],
    text: turn.text === "" ? "" : forgottenMark,
  };
  for (const message of turn.messages)
    if (message.role === "result" && isDerived(message.result.label))
      eraseResults(database, "id", message.result.id);
  rows.replace(integer(row, "number"), next);
  forgetBeside(database, turn);
  return next;
}

/** Whether a label names one of these ids, or a part of what one of them names. */
export function namesOneOf(ids: readonly string[]): (label: Label) => boolean {
  return ({ sources }) =>
    sources.some((source) => ids.some((id) => source.id === id || source.id.startsWith(`${id}:`)));
}

/** Removes what is kept of a turn's texts in other places: its answer in the outbox and in the log of its job, what its job is watched to repeat, and its questions. */
function forgetBeside(database: Database, { id, signal: { payload } }: Turn): void {
  database.run("UPDATE outbox SET text = ? WHERE turn = ?", forgottenMark, id);
  database.run("UPDATE job_runs SET reason = ? WHERE turn = ? AND reason <> ''", forgottenMark, id);
  database.run("DELETE FROM approvals WHERE body ->> '$.turn' = ?", id);
  if (typeof payload["job"] === "string") forgetJobShadow(database, payload["job"]);
}

function eraseResults(database: Database, column: "id" | "turn", value: string): void {
  for (const result of database.all(`SELECT id, body FROM results WHERE ${column} = ?`, value)) {
    const body = JSON.stringify(eraseResult(json<ToolResult>(result, "body")));
    database.run("UPDATE results SET body = ? WHERE id = ?", body, text(result, "id"));
  }
}

/** The turn with its end, and without anything that was said in it. */
function forgottenTurn(turn: Turn): Turn {
  const words: Message = { role: "user", text: forgottenMark, label: turn.signal.label };
  return {
    ...withoutTold(turn),
    signal: withoutText(turn.signal),
    messages: [words],
    pending: [],
    text: forgottenMark,
  };
}

function withoutText(signal: Turn["signal"]): Turn["signal"] {
  return { ...signal, text: forgottenMark, payload: {} };
}

type Derivation = {
  readonly isDerived: (label: Label) => boolean;
  /** Whether the owner said the words of the turn. */
  readonly isOwn: boolean;
};

function withoutDerived(message: Message, { isDerived, isOwn }: Derivation): Message {
  switch (message.role) {
    case "user": {
      const { asIs: _, ...rest } = message;
      return isOwn || !isDerived(message.label) ? message : { ...rest, text: forgottenMark };
    }
    case "result":
      return isDerived(message.result.label) ? { ...message, result: eraseResult(message.result) } : message;
    case "attachment":
    case "rejection":
      return isDerived(message.label) ? { ...message, text: forgottenMark } : message;
    case "assistant":
      return isDerived(message.label)
        ? { ...message, text: forgottenMark, raw: null, calls: message.calls.map(withoutArguments) }
        : message;
  }
}

function withoutArguments({ id, action }: Call): Call {
  const { tool = null } = action.payload;
  return { id, action: { ...action, payload: { tool, args: {} }, explanation: forgottenMark } };
}
