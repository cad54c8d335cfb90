import { randomUUID } from "node:crypto";
import type { Approval } from "../../signal/approval.ts";
import type { Clock } from "../../signal/clock.ts";
import { PipelineError } from "../../signal/failure.ts";
import type { Signal } from "../../signal/signal.ts";
import type { ToolResult } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { digestOf } from "../storage/digest.ts";
import { json, oneOf, text } from "../storage/rows.ts";
import { type ApprovalEnd, closeApproval, insertApproval } from "./approvals.ts";
import { type ChangeRecord, insertChange } from "./changes.ts";
import { type DeferredEdit, insertDeferredEdit, removeDeferredEdit } from "./deferred-edits.ts";
import { insertAnswer, type OutboxAnswer } from "./outbox.ts";
import { redactTurn } from "./redact.ts";
import { insertResult } from "./results.ts";
import { touchSession } from "./sessions.ts";
import { insertSnapshot } from "./snapshots.ts";
import { isAllowedTransition, turnStates } from "./turn-transitions.ts";
import { newTurn } from "./turns.ts";

/** One arrow of a turn, with all that comes into being or ends with it. All of it is on disk, or none. */
export type TurnStep = {
  readonly turn: Turn;
  /** The turn begins to think, and a snapshot with this note is taken. Such a step is unforced: it is lost only together with all that came of it, and the turn is then as it was accepted. */
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

/** Takes a signal in: once this returns it is on disk as a queued turn, and the same client id in the same session is not taken twice. */
export function acceptSignal(
  database: Database,
  signal: Signal,
  depthLimit: number,
  clock: Clock,
): Acceptance {
  return database.transaction("forced", () => {
    const known = database.get(
      "SELECT body FROM turns WHERE session = ? AND client = ?",
      signal.session,
      signal.clientId,
    );
    if (known !== undefined) {
      const turn = json<Turn>(known, "body");
      return { turn, fresh: false, ...(saysTheSame(turn.signal, signal) ? {} : { clash: true as const }) };
    }
    const at = clock();
    const turn = newTurn(randomUUID(), signal, depthLimit, at);
    database.run(
      "INSERT INTO turns (id, session, client, state, updated, body) VALUES (?, ?, ?, ?, ?, ?)",
      turn.id,
      turn.session,
      signal.clientId,
      turn.state,
      at,
      JSON.stringify(turn),
    );
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

/** Commits a step in one transaction, forced but for the one that begins to think; throws, and changes nothing, where the turn may not take it. */
export function commitStep(database: Database, step: TurnStep, clock: Clock): void {
  const { turn } = step;
  database.transaction(step.snapshot === undefined ? "forced" : "unforced", () => {
    const at = clock();
    const wrong = wrongStep(database, step);
    if (wrong !== null) {
      throw new PipelineError(`the step of turn ${turn.id} is refused: ${wrong}`, turn.signal.id);
    }
    database.run(
      "UPDATE turns SET state = ?, updated = ?, body = ? WHERE id = ?",
      turn.state,
      at,
      JSON.stringify(redactTurn(turn)),
      turn.id,
    );
    if (step.snapshot !== undefined) insertSnapshot(database, step.snapshot, clock);
    if (step.closeApproval !== undefined) closeApproval(database, step.closeApproval, at);
    if (step.approval !== undefined) insertApproval(database, step.approval);
    for (const result of step.results ?? []) insertResult(database, { result, turn: turn.id, at });
    for (const change of step.changes ?? []) insertChange(database, change);
    if (step.deferredEdit !== undefined)
      insertDeferredEdit(database, step.deferredEdit.edit, step.deferredEdit.instead);
    if (step.endsDeferredEdit !== undefined) removeDeferredEdit(database, step.endsDeferredEdit);
    if (step.answer !== undefined) insertAnswer(database, step.answer);
    touchSession(database, turn.session, at);
  });
}

/** Why the turn may not take the step, in words; null if it may. */
function wrongStep(database: Database, { turn, answer, approval, changes = [] }: TurnStep): string | null {
  const row = database.get(
    "SELECT session, state, body ->> '$.signal.id' AS signal FROM turns WHERE id = ?",
    turn.id,
  );
  if (row === undefined) return "its signal was never accepted";
  if (text(row, "session") !== turn.session || text(row, "signal") !== turn.signal.id) {
    return "it belongs to another session or signal";
  }
  const state = oneOf(row, "state", turnStates);
  if (!isAllowedTransition(state, turn.state)) return `a turn cannot go from ${state} to ${turn.state}`;
  const owners = [answer?.turn, approval?.turn, ...changes.map((change) => change.turn)];
  return owners.some((id) => id !== undefined && id !== turn.id)
    ? "it carries what belongs to another turn"
    : null;
}
