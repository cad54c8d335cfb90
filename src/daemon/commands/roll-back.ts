import type { StoredChange } from "../../memory/state/changes.ts";
import { nameOfSession } from "../../memory/state/name-of-session.ts";
import { rollbackNote, type Snapshot } from "../../memory/state/snapshots.ts";
import type { State } from "../../memory/state/state.ts";
import { greatest, least } from "../../text/lists.ts";
import { changesBegun, endOfRun, progressOf, type UndoRun } from "./begun-undo.ts";
import { findRunningWork, judgeCommand } from "./undo-commands.ts";
import type { CommandOrigin, UndoParts, UndoResult } from "./undo-request.ts";
import { undoChanges } from "./undo-turn.ts";

/**
 * Rolls memory and files back to a snapshot: it undoes what changed after it in every session, newest first.
 * Without an id it goes back to before the session's last change. A rollback can be undone.
 */
export async function rollBackTo(
  parts: UndoParts,
  by: CommandOrigin & { readonly id: string | null },
  run: UndoRun,
): Promise<RollbackReply> {
  const { state } = parts;
  const { id, begun } = run;
  const found = await snapshotFor(parts, by.signal.session, begun === null ? by.id : String(begun.snapshot));
  if (typeof found === "string") return notDone(found);
  const changes = begun === null ? await state.changes.since(found.change) : await changesBegun(state, begun);
  const busy =
    begun === null ? await findRollbackAtWork(parts, by.signal.session, { to: found, changes }) : null;
  if (busy !== null) return notDone(busy);
  await run.begin({ changes, snapshot: found.id });
  const undoing = { changes, operation: "rollback" } as const;
  const before = await progressOf(state, run, undoing);
  const author = { turn: id, session: by.signal.session };
  const memory = await rolledBack(state, found, begun === null ? null : changes);
  let undo: Snapshot | null = memory;
  const end = await undoChanges(parts, {
    id,
    session: author.session,
    turn: null,
    operation: undoing.operation,
    changes: before.left,
    async memory() {
      if (memory !== null) return { done: ["Memory is as it was then."], conflicts: [] };
      const back = await state.objects.rollback(found.id, author);
      if (!back.ok) return { done: [], conflicts: [back.reason] };
      undo = back.undo;
      const conflicts = back.forgotten.map((object) => `${object} was forgotten and stays forgotten.`);
      const lines = back.sessions.map((each) => memoryLine(state.sessions, each));
      return { done: await Promise.all(lines), conflicts };
    },
    judge: (effects) => judgeCommand(parts, { ...by, effects, command: "rollback" }),
  });
  const result = await endOfRun(state, run, { ...undoing, commands: before.commands, end });
  return result.ok ? rollbackReply(found, undo, result) : notDone(`Not done: ${result.reason}`);
}

/** Why nothing can be rolled back now. */
async function findRollbackAtWork(
  parts: UndoParts,
  own: string,
  { to, changes }: { readonly to: Snapshot; readonly changes: readonly StoredChange[] },
): Promise<string | null> {
  const ofMemory = (await parts.state.objects.previewRollback(to.id)) ?? [];
  const sessions = new Set([...changes, ...ofMemory].flatMap(({ session }) => session ?? []));
  return findRunningWork(parts, own, { sessions, turns: [...new Set(changes.map(({ turn }) => turn))] });
}

/**
 * The snapshot from before a rollback of memory that was made already, where a kill cut it off between
 * memory and files.
 */
async function rolledBack(
  { objects }: Pick<State, "objects">,
  to: Snapshot,
  changes: readonly StoredChange[] | null,
): Promise<Snapshot | null> {
  if (changes === null) return null;
  const last = greatest([to.change, ...changes.map(({ number }) => number)]);
  const made = (await objects.snapshots()).find(
    ({ note, change }) => note === rollbackNote(to.id) && change >= last,
  );
  return made ?? null;
}

/** The reply of `/rollback`. */
type RollbackReply = { readonly code: "rolled-back" | "not-done"; readonly text: string };

function notDone(text: string): RollbackReply {
  return { code: "not-done", text };
}

/** The snapshot that is meant, or why there is none. */
async function snapshotFor(
  { state }: UndoParts,
  session: string,
  id: string | null,
): Promise<Snapshot | string> {
  const snapshots = await state.objects.snapshots();
  if (id !== null) {
    return (
      snapshots.find((snapshot) => String(snapshot.id) === id) ??
      `There is no snapshot ${id}. \`passepartout memory history\` lists them.`
    );
  }
  const last = await state.changes.latestTurnWithChanges(session);
  if (last === null) return "Nothing of this session changed anything, so there is nothing to roll back.";
  const first = firstStanding(await state.changes.ofTurn(last));
  const before = snapshots.filter(({ change }) => change < first);
  const isTurn = (await state.turns.get(last)) !== null;
  return (
    (isTurn ? before.findLast(({ note }) => note === last) : before[0]) ??
    "The snapshot from before this session's last change is no longer kept. /undo undoes that change."
  );
}

function firstStanding(changes: readonly StoredChange[]): number {
  return least(changes.filter(({ undone }) => !undone).map(({ number }) => number));
}

async function memoryLine(
  sessions: State["sessions"],
  { session, changes }: { readonly session: string | null; readonly changes: number },
): Promise<string> {
  const named = session === null ? "(none)" : await nameOfSession(sessions, session);
  return `Session ${named}: ${changes} change${changes === 1 ? "" : "s"} of memory.`;
}

function rollbackReply(to: Snapshot, undo: Snapshot | null, { done, conflicts }: UndoResult): RollbackReply {
  if (done.length === 0 && conflicts.length > 0)
    return notDone([`Not rolled back to snapshot ${to.id}.`, ...conflicts].join("\n"));
  const again =
    undo === null
      ? ""
      : ` Memory as it was before this is snapshot ${undo.id}: /undo, or /rollback ${undo.id}, brings memory and files back.`;
  const text = [`Rolled back to snapshot ${to.id}.${again}`, ...done, ...conflicts].join("\n");
  return { code: "rolled-back", text };
}
