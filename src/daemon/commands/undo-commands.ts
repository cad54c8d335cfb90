import { randomUUID } from "node:crypto";
import type { StoredChange } from "../../memory/state/changes.ts";
import type { Snapshot } from "../../memory/state/snapshots.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Signal } from "../../signal/signal.ts";
import type { UndoDecision, UndoParts, UndoResult } from "./undo-request.ts";
import { revertMemory, undoChanges } from "./undo-turn.ts";

/** Who commands it, and in which workspace. */
export type CommandOrigin = { readonly signal: Signal; readonly workspace: string | null };

/** Undoes the session's last turn or rollback that changed something and still stands. It is the owner's own command, and judged like any action. */
export async function undoLast(parts: UndoParts, by: CommandOrigin): Promise<UndoReply> {
  const undone = await takeBack(parts, by, {
    command: "undo",
    find: () => parts.state.changes.latestTurnWithChanges(by.signal.session),
    stands: ({ undone }) => !undone,
  });
  return undone ?? { code: "nothing-to-undo", text: "There is nothing to undo in this session." };
}

/** Takes the last undo of the session back, where nothing was changed since. Judged like any action. */
export async function redoLast(parts: UndoParts, by: CommandOrigin): Promise<RedoReply> {
  const undone = await takeBack(parts, by, {
    command: "redo",
    find: () => parts.state.changes.latestUndo(by.signal.session),
    stands: () => true,
  });
  if (undone === null) {
    const text = "There is nothing to redo: the last change of this session was no undo.";
    return { code: "nothing-to-redo", text };
  }
  const { code, text } = undone;
  return { code: code === "undone" ? "redone" : code, text: text.replace(/^Undone/, "Done again") };
}

type TakenBack = {
  readonly command: "undo" | "redo";
  /** The turn or undo whose changes are taken back; null where there is none. */
  readonly find: () => Promise<string | null>;
  /** Whether a change of it is there to be taken back. Those of an undo always are: they count as undone, so that no `/undo` takes them. */
  readonly stands: (change: StoredChange) => boolean;
};

/** Takes the changes of a turn, or of an undo, back. */
function takeBack(
  parts: UndoParts,
  by: CommandOrigin,
  { command, find, stands }: TakenBack,
): Promise<UndoReply | null> {
  const { changes } = parts.state;
  const { session } = by.signal;
  return changes.runExclusively(async () => {
    const last = await find();
    if (last === null) return null;
    const busy = await findRunningWork(parts, new Set([session]), [last]);
    if (busy !== null) return { code: "not-done", text: busy };
    const id = randomUUID();
    const result = await undoChanges(parts, {
      id,
      session,
      turn: null,
      operation: "undo",
      changes: (await changes.ofTurn(last)).filter(stands),
      memory: () => revertMemory(parts, last, { turn: id, session }),
      judge: (effects) => judgeCommand(parts, { ...by, effects, command }),
    });
    return result.ok ? undoReply(result) : { code: "not-done", text: `Not done: ${result.reason}` };
  });
}

type RedoReply = { readonly code: UndoReply["code"] | "redone" | "nothing-to-redo"; readonly text: string };

/** The reply of `/undo`. */
export type UndoReply = {
  readonly code: "undone" | "undone-in-part" | "nothing-to-undo" | "not-done";
  readonly text: string;
};

/**
 * Rolls memory and files back to a snapshot: it undoes what changed after it in every session, newest first. Without an id it goes back to
 * before the session's last change. A rollback can be undone.
 */
export function rollBackTo(
  parts: UndoParts,
  by: CommandOrigin & { readonly id: string | null },
): Promise<RollbackReply> {
  const { state } = parts;
  return state.changes.runExclusively(async () => {
    const found = await snapshotFor(parts, by.signal.session, by.id);
    if (typeof found === "string") return notDone(found);
    const changes = await state.changes.since(found.change);
    const ofMemory = (await state.objects.previewRollback(found.id)) ?? [];
    const sessions = new Set([...changes, ...ofMemory].flatMap(({ session }) => session ?? []));
    const busy = await findRunningWork(parts, sessions, [...new Set(changes.map(({ turn }) => turn))]);
    if (busy !== null) return notDone(busy);
    const id = randomUUID();
    let undo: Snapshot | null = null;
    const result = await undoChanges(parts, {
      id,
      session: by.signal.session,
      turn: null,
      operation: "rollback",
      changes,
      async memory() {
        const back = await state.objects.rollback(found.id, { turn: id, session: by.signal.session });
        if (!back.ok) return { done: [], conflicts: [back.reason] };
        undo = back.undo;
        const conflicts = back.forgotten.map((object) => `${object} was forgotten and stays forgotten.`);
        return { done: back.sessions.map(memoryLine), conflicts };
      },
      judge: (effects) => judgeCommand(parts, { ...by, effects, command: "rollback" }),
    });
    return result.ok ? rollbackReply(found, undo, result) : notDone(`Not done: ${result.reason}`);
  });
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
  return Math.min(...changes.filter(({ undone }) => !undone).map(({ number }) => number));
}

/** Why nothing can be undone now: a turn is changing, or is about to change, the same things. */
async function findRunningWork(
  { state, policy }: UndoParts,
  sessions: ReadonlySet<string>,
  turns: readonly string[],
): Promise<string | null> {
  const atWork = (await state.turns.unfinished()).find(
    (turn) =>
      sessions.has(turn.session) &&
      (turn.state === "judging" ||
        turn.state === "acting" ||
        (turn.state === "thinking" && turns.includes(turn.id))),
  );
  if (atWork === undefined) return null;
  const words = policy.filter(atWork.signal.text.slice(0, 60));
  return `Not done: a turn of session ${atWork.session} is still at work (${atWork.state}): ${words}\nNothing was undone. Wait until it has ended, or say /stop in that session, and then say this again.`;
}

type Commanded = CommandOrigin & {
  readonly effects: readonly Effect[];
  readonly command: "undo" | "redo" | "rollback";
};

/** The owner's own words license what asks; nothing licenses what blocks. */
async function judgeCommand(
  parts: UndoParts,
  { signal, workspace, effects, command }: Commanded,
): Promise<UndoDecision> {
  const about = {
    action: { kind: "command" as const, target: "system", tool: null, explanation: "", problems: [] },
    origin: {
      person: signal.person,
      source: signal.source,
      session: signal.session,
      startedBy: "person" as const,
    },
    workspace,
  };
  const first = parts.policy.judge(effects, parts.policy.makeFacts(about));
  const licence = {
    kind: "intent" as const,
    name: `the owner's own /${command}`,
    discharges: first.asks.map((ask) => ask.code),
    effectIndexes: effects.map((_, index) => index),
  };
  const facts = parts.policy.makeFacts({ ...about, licences: [licence] });
  const { decision, reason, trace } = parts.policy.judge(effects, facts);
  if (decision === "pass") return { ok: true, intent: { facts, verdict: decision, trace } };
  const { session } = signal;
  await parts.journal({
    kind: "verdict",
    session,
    effects,
    facts,
    verdict: decision,
    trace,
    detail: { command },
  });
  return { ok: false, reason };
}

function memoryLine({
  session,
  changes,
}: {
  readonly session: string | null;
  readonly changes: number;
}): string {
  return `Session ${session ?? "(none)"}: ${changes} change${changes === 1 ? "" : "s"} of memory.`;
}

function rollbackReply(to: Snapshot, undo: Snapshot | null, { done, conflicts }: UndoResult): RollbackReply {
  const again =
    undo === null
      ? ""
      : ` Memory as it was before this is snapshot ${undo.id}: /undo, or /rollback ${undo.id}, brings memory and files back.`;
  const text = [`Rolled back to snapshot ${to.id}.${again}`, ...done, ...conflicts].join("\n");
  return { code: "rolled-back", text };
}

function undoReply({ done, conflicts }: UndoResult): UndoReply {
  if (done.length + conflicts.length === 0)
    return { code: "undone", text: "Undone: everything was already as it was before." };
  const lines = [...done, ...conflicts].join("\n");
  if (conflicts.length === 0) return { code: "undone", text: `Undone.\n${lines}` };
  return done.length === 0
    ? { code: "not-done", text: `Not undone.\n${lines}` }
    : { code: "undone-in-part", text: `Undone in part.\n${lines}` };
}
