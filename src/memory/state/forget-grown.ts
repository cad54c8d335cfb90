import type { Call } from "../../signal/action.ts";
import type { Clock } from "../../signal/clock.ts";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { isFinal, type Turn } from "../../signal/turn.ts";
import { integer, json, text } from "../storage/rows.ts";
import type { BlobStore } from "./blobs.ts";
import {
  type ForgetResult,
  forgetAtOnce,
  forgetObject,
  forgetPreImages,
  forgetTurn,
  overwriteFreed,
} from "./forget.ts";
import { forgottenMark } from "./is-forgotten.ts";
import type { Author } from "./memory-object.ts";
import { forgetProposals, forgetProposalsLabelled } from "./proposals.ts";
import { eraseResult } from "./redact.ts";
import { forgetSkillTroubles } from "./skill-troubles.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** What grew from a source: objects of the agent's own, files with all that was kept of them, deferred edits, and texts in turns. */
export type GrownRequest = {
  readonly objects: readonly string[];
  readonly files: readonly string[];
  readonly edits: readonly string[];
  /** The turns that go as a whole, and those of which only texts with a derived label go. */
  readonly wholeTurns: readonly string[];
  readonly turns: readonly string[];
  readonly isDerived: (label: Label) => boolean;
};

/** Removes all of it for good, and overwrites its place on the disk. The owner's own words in a turn stay, and so do hashes. */
export function forgetGrown(
  store: BlobStore,
  { objects, files, edits, wholeTurns, turns, isDerived }: GrownRequest,
  parts: {
    readonly rows: TurnRows;
    readonly author: Author;
    readonly clock: Clock;
    readonly forgetSaid: (turn: string) => void;
    /** Brings session memory up to a turn whose texts changed. */
    readonly fileAgain: (turn: Turn) => void;
  },
): ForgetResult {
  const { database } = store;
  const { rows, author, clock, forgetSaid, fileAgain } = parts;
  const sum = (counts: readonly number[]): number => counts.reduce((all, some) => all + some, 0);
  const forgotten = forgetAtOnce(database, () => {
    const whole = wholeTurns.filter((id) => forgetTurn(store, rows, id) > 0);
    for (const id of whole) forgetSaid(id);
    const partly = turns.flatMap((id) => forgetTextsOf({ ...store, rows }, id, isDerived) ?? []);
    for (const turn of partly) fileAgain(turn);
    forgetProposalsLabelled(database, isDerived);
    forgetSkillTroubles(database, isDerived);
    for (const file of files) forgetProposals(database, file);
    return {
      versions: sum(objects.map((id) => forgetObject(database, id, { author, at: clock() }))),
      turns: whole.length + partly.length,
      preImages: sum(files.map((file) => forgetPreImages(store, file))),
      edits: sum(edits.map((edit) => database.run("DELETE FROM pending_edits WHERE id = ?", edit))),
    };
  });
  overwriteFreed(database);
  return forgotten;
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
  const messages = turn.messages.map((message) => withoutDerived(message, isDerived));
  const isAnswerDerived = messages.some((message, index) => message !== turn.messages[index]);
  if (!isAnswerDerived) return null;
  const next: Turn = { ...turn, messages, pending: [], text: turn.text === "" ? "" : forgottenMark };
  for (const message of turn.messages)
    if (message.role === "result" && isDerived(message.result.label))
      for (const kept of database.all("SELECT id, body FROM results WHERE id = ?", message.result.id))
        database.run(
          "UPDATE results SET body = ? WHERE id = ?",
          JSON.stringify(eraseResult(json<ToolResult>(kept, "body"))),
          text(kept, "id"),
        );
  rows.replace(integer(row, "number"), next);
  database.run("UPDATE outbox SET text = ? WHERE turn = ?", forgottenMark, id);
  return next;
}

function withoutDerived(message: Message, isDerived: (label: Label) => boolean): Message {
  switch (message.role) {
    case "user":
      return message;
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
