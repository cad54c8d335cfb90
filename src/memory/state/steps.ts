import { randomUUID } from "node:crypto";
import type { Approval } from "../../signal/approval.ts";
import type { Clock } from "../../signal/clock.ts";
import { PipelineError } from "../../signal/failure.ts";
import type { Signal } from "../../signal/signal.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { isFinal, type Turn } from "../../signal/turn.ts";
import type { Database, Durability } from "../storage/database.ts";
import { digestOf } from "../storage/digest.ts";
import { integer, oneOf, type Row, text } from "../storage/rows.ts";
import { type ApprovalEnd, closeApproval, insertApproval } from "./approvals.ts";
import { type ChangeRecord, insertChange } from "./changes.ts";
import { type DeferredEdit, insertDeferredEdit, removeDeferredEdit } from "./deferred-edits.ts";
import { insertAnswer, type OutboxAnswer } from "./outbox.ts";
import { insertResult } from "./results.ts";
import { touchSession } from "./sessions.ts";
import { insertSnapshot } from "./snapshots.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";
import { isAllowedTransition, turnStates } from "./turn-transitions.ts";
import { newTurn } from "./turns.ts";

/** One arrow of a turn, with all that comes into being or ends with it. All of it is on disk, or none. */
export type TurnStep = {
  readonly turn: Turn;
  /** What the step promises once it is committed; `forced` where it is not said. `docs/durability.md` says what each arrow needs. */
  readonly durability?: Durability | undefined;
  /** The note of a snapshot that is taken with the step, where the turn begins to think. */
  readonly snapshot?: string | undefined;
  readonly answer?: OutboxAnswer | undefined;
  /** A question that the turn is now suspended on. */
  readonly approval?: Approval | undefined;
  /** The question that was answered; one that is not open any more refuses the whole step. */
  readonly closeApproval?: { readonly tokenHash: string; readonly state: ApprovalEnd } | undefined;
  readonly results?: readonly ToolResult[] | undefined;
  readonly changes?: readonly ChangeRecord[] | undefined;
  /** A call that is put off; `instead` names the waiting edit whose place it takes. */
  readonly deferredEdit?: { readonly edit: DeferredEdit; readonly instead: string | null } | undefined;
  /** A waiting edit that ends with this step. */
  readonly endsDeferredEdit?: string | undefined;
};

/** What became of a signal that came in. `fresh` is false where the client sent it before; the turn is that one's. */
export type Acceptance = {
  readonly turn: Turn;
  readonly fresh: boolean;
  /** The client used the id of that turn for other words, which were not taken. */
  readonly clash?: true;
};

/** What a step is committed with. */
export type StepParts = { readonly database: Database; readonly rows: TurnRows; readonly clock: Clock };

/** Takes a signal in: once this returns it is on disk as a queued turn, and the same client id in the same session is not taken twice. */
export function acceptSignal(
  { database, rows, clock }: StepParts,
  signal: Signal,
  depthLimit: number,
): Acceptance {
  return database.transaction("forced", () => {
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
    const turn = newTurn(randomUUID(), signal, depthLimit, at);
    rows.insert(turn);
    touchSession(database, turn.session, at);
    return { turn, fresh: true };
  });
}

/** Of what was forgotten nothing can be compared, and a repetition of it is not taken in again. */
function saysTheSame(before: Signal, now: Signal): boolean {
  if (before.sensor !== now.sensor) return false;
  const isForgotten = Object.keys(before.payload).length === 0;
  return isForgotten || digestOf(before.payload) === digestOf(now.payload);
}

/** Commits a step in one transaction; throws, and changes nothing, where the turn may not take it. */
export function commitStep({ database, rows, clock }: StepParts, step: TurnStep): void {
  const { turn } = step;
  const at = clock();
  database.transaction(step.durability ?? "forced", () => {
    const number = checkedNumber({ database, rows }, step);
    rows.update(number, turn, at);
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
  });
}

/** The number of the turn, which may take the step; else it throws. */
function checkedNumber(parts: Omit<StepParts, "clock">, step: TurnStep): number {
  const { turn } = step;
  const row = parts.database.get("SELECT number, session, state FROM turns WHERE id = ?", turn.id);
  const wrong = row === undefined ? "its signal was never accepted" : wrongStep(parts.rows, row, step);
  if (row === undefined || wrong !== null) {
    throw new PipelineError(`the step of turn ${turn.id} is refused: ${wrong}`, turn.signal.id);
  }
  return integer(row, "number");
}

/** Why the turn may not take the step, in words; null if it may. */
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
