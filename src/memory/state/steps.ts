import { randomUUID } from "node:crypto";
import { digestOf } from "../../machine/digest.ts";
import type { Approval } from "../../signal/approval.ts";
import type { AttachmentMessage } from "../../signal/attachment.ts";
import { PipelineError } from "../../signal/failure.ts";
import type { Signal } from "../../signal/signal.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { isFinal, type Turn, turnStates } from "../../signal/turn.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database, Durability } from "../storage/database.ts";
import { integer, oneOf, type Row, text } from "../storage/rows.ts";
import { type ApprovalClosing, closeApproval, insertApproval } from "./approvals.ts";
import { bindAttachments } from "./attachments.ts";
import { type ChangeRecord, insertChange } from "./changes.ts";
import { type DeferredEdit, insertDeferredEdit, removeDeferredEdit } from "./deferred-edits.ts";
import { insertAnswer, type OutboxAnswer } from "./outbox.ts";
import { insertResult } from "./results.ts";
import { markUnproved, touchSession } from "./sessions.ts";
import { insertSnapshot } from "./snapshots.ts";
import { insertSubTask } from "./sub-tasks.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";
import { isAllowedTransition } from "./turn-transitions.ts";
import { newTurn } from "./turns.ts";

/** One step of a turn, with everything that begins or ends with it. All of it is committed, or nothing. */
export type TurnStep = {
  readonly turn: Turn;
  /** The durability of the step; `forced` by default. `docs/durability.md` says what each arrow needs. */
  readonly durability?: Durability | undefined;
  /** Turns that wait, and end with this step since it was given their words. */
  readonly joins?: readonly Turn[] | undefined;
  /** The note of a snapshot that is taken when the turn begins to think. */
  readonly snapshot?: string | undefined;
  readonly answer?: OutboxAnswer | undefined;
  /** The question on which the turn is suspended. */
  readonly approval?: Approval | undefined;
  /** The question that ends. If it is not open any more, the whole step is refused. */
  readonly closeApproval?: ApprovalClosing | undefined;
  readonly results?: readonly ToolResult[] | undefined;
  readonly changes?: readonly ChangeRecord[] | undefined;
  /** An edit that is deferred; `instead` is the id of the edit that it replaces in the queue. */
  readonly deferredEdit?: { readonly edit: DeferredEdit; readonly instead: string | null } | undefined;
  /** The id of a deferred edit that ends with this step. */
  readonly endsDeferredEdit?: string | undefined;
};

/** The turn of an accepted signal. `fresh` is false if the client sent the signal before; the turn is then the earlier one. */
export type Acceptance = {
  readonly turn: Turn;
  readonly fresh: boolean;
  /** The client used the id of that turn for another signal, which was not accepted. */
  readonly clash?: true;
};

/** The parts that a step is committed with. */
export type StepParts = { readonly database: Database; readonly rows: TurnRows; readonly clock: Clock };

/**
 * Accepts a signal as a queued turn, which is on disk when this resolves. A client id is accepted once in a
 * session.
 */
export function acceptSignal(
  { database, rows, clock }: StepParts,
  signal: Signal,
  depthLimit: number,
  attached: readonly AttachmentMessage[] = [],
): Promise<Acceptance> {
  return database.forced(() => {
    const known = database.get(
      `SELECT ${turnColumns} FROM turns WHERE session = ? AND client = ?`,
      signal.session,
      signal.clientId,
    );
    if (known !== undefined) {
      const turn = rows.read(known);
      return { turn, fresh: false, ...(saysTheSame(turn.signal, signal) ? {} : { clash: true as const }) };
    }
    const at = clock();
    const turn = newTurn(randomUUID(), signal, { depthLimit, at, attached });
    rows.insert(turn);
    insertSubTask(database, turn.id, signal);
    bindAttachments(database, { turn: turn.id, session: turn.session, at }, attached);
    touchSession(database, turn.session, at);
    if (signal.person === "unproved") markUnproved(database, turn.session);
    return { turn, fresh: true };
  });
}

/** Whether two signals say the same. A forgotten signal cannot be compared, and its repetition counts as the same. */
function saysTheSame(before: Signal, now: Signal): boolean {
  if (before.sensor !== now.sensor) return false;
  const isForgotten = Object.keys(before.payload).length === 0;
  return isForgotten || digestOf(before.payload) === digestOf(now.payload);
}

/** Commits a step in one transaction. Throws, and changes nothing, if the turn may not take it. */
export async function commitStep({ database, rows, clock }: StepParts, step: TurnStep): Promise<void> {
  const { turn } = step;
  const at = clock();
  const { durability = "forced" } = step;
  const work = (): void => {
    const number = checkedNumber({ database, rows }, step);
    rows.update(number, turn, at);
    for (const joined of step.joins ?? [])
      rows.update(checkedNumber({ database, rows }, { turn: joined }), joined, at);
    if (step.snapshot !== undefined) insertSnapshot(database, step.snapshot, clock);
    if (step.closeApproval !== undefined) closeApproval(database, step.closeApproval, at);
    if (step.approval !== undefined) insertApproval(database, step.approval);
    for (const result of step.results ?? []) {
      const place = rows.placeOfResult(number, turn, result.id);
      insertResult(database, { result, turn: turn.id, at, place });
    }
    for (const change of step.changes ?? []) insertChange(database, change);
    if (step.deferredEdit !== undefined)
      insertDeferredEdit(database, step.deferredEdit.edit, step.deferredEdit.instead);
    if (step.endsDeferredEdit !== undefined) removeDeferredEdit(database, step.endsDeferredEdit);
    if (step.answer !== undefined) insertAnswer(database, step.answer);
    if (isFinal(turn.state)) touchSession(database, turn.session, at);
  };
  if (durability === "forced") await database.forced(work);
  else database.transaction(durability, work);
}

/** The number of the turn. Throws if the turn may not take the step. */
function checkedNumber(parts: Omit<StepParts, "clock">, step: TurnStep): number {
  const { turn } = step;
  const row = parts.database.get("SELECT number, session, state FROM turns WHERE id = ?", turn.id);
  const wrong = row === undefined ? "its signal was never accepted" : wrongStep(parts.rows, row, step);
  if (row === undefined || wrong !== null) {
    throw new PipelineError(`the step of turn ${turn.id} is refused: ${wrong}`, turn.signal.id);
  }
  return integer(row, "number");
}

/** Why the turn may not take the step; null if it may. */
function wrongStep(
  rows: TurnRows,
  row: Row,
  { turn, answer, approval, changes = [] }: TurnStep,
): string | null {
  const isOwn = text(row, "session") === turn.session;
  if (!isOwn || rows.signalId(integer(row, "number")) !== turn.signal.id) {
    return "it belongs to another session or signal";
  }
  const state = oneOf(row, "state", turnStates);
  if (!isAllowedTransition(state, turn.state)) return `a turn cannot go from ${state} to ${turn.state}`;
  const owners = [answer?.turn, approval?.turn, ...changes.map((change) => change.turn)];
  return owners.some((id) => id !== undefined && id !== turn.id)
    ? "it carries what belongs to another turn"
    : null;
}
