import { randomUUID } from "node:crypto";
import type { StoredChange } from "../../memory/state/changes.ts";
import type { Snapshot } from "../../memory/state/snapshots.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Signal } from "../../signal/signal.ts";
import { beginOf } from "../../signal/text/cut-text.ts";
import type { UndoDecision, UndoParts, UndoResult } from "./undo-request.ts";
import { revertMemory, undoChanges } from "./undo-turn.ts";

/** Who commands it, and in which workspace. */
export type CommandOrigin = {
  readonly signal: Pick<Signal, "session" | "person" | "source">;
  readonly workspace: string | null;
};

/** Undoes the session's last turn or rollback that changed something and still stands. It is the owner's own command, and judged like any action. */
export async function undoLast(parts: UndoParts, by: CommandOrigin): Promise<UndoReply> {
  const { changes } = parts.state;
  const undone = await takeBack(parts, by, {
    command: "undo",
    async find() {
      const last = await changes.latestTurnWithChanges(by.signal.session);
      if (last === null) return null;
      const standing = (await changes.withSubTasks(last)).filter((change) => !change.undone);
      const subTasks = await parts.state.subTasks.turnsUnder(last);
      return { turns: [...subTasks.toReversed(), last], changes: standing };
    },
  });
  return undone ?? { code: "nothing-to-undo", text: "There is nothing to undo in this session." };
}

/** Takes the last undo of the session back, where nothing was changed since. Judged like any action. */
export async function redoLast(parts: UndoParts, by: CommandOrigin): Promise<RedoReply> {
  const { changes } = parts.state;
  const undone = await takeBack(parts, by, {
    command: "redo",
    async find() {
      const last = await changes.latestUndo(by.signal.session);
      // All of its changes are there to be taken back: they count as undone, so that no `/undo` takes them.
      return last === null ? null : { turns: [last], changes: await changes.ofTurn(last) };
    },
  });
  if (undone === null) {
    const text = "There is nothing to redo: the last change of this session was no undo.";
    return { code: "nothing-to-redo", text };
  }
  const { code, text } = undone;
  return { code: code === "undone" ? "redone" : code, text: text.replace(/^Undone/, "Done again") };
}

/** What is taken back: turns or undos, newest first, with the changes of theirs that are there to be taken back, oldest first. */
export type TakenBack = { readonly turns: readonly string[]; readonly changes: readonly StoredChange[] };

/** Takes the changes of turns, or of an undo, back. Null where there is nothing of the kind. */
export function takeBack(
  parts: UndoParts,
  by: CommandOrigin,
  {
    command,
    find,
    id = randomUUID(),
  }: {
    readonly command: "undo" | "redo" | "rewind";
    readonly find: () => Promise<TakenBack | null>;
    /** The id of this undo. */
    readonly id?: string;
  },
): Promise<UndoReply | null> {
  const { session } = by.signal;
  return parts.state.changes.runExclusively(async () => {
    const found = await find();
    if (found === null) return null;
    const busy = await findRunningWork(parts, new Set([session]), found.turns);
    if (busy !== null) return { code: "not-done", text: busy };
    const result = await undoChanges(parts, {
      id,
      session,
      turn: null,
      operation: "undo",
      changes: found.changes,
      memory: () => revertMemories(parts, found.turns, { turn: id, session }),
      judge: (effects) => judgeCommand(parts, { ...by, effects, command }),
    });
    return result.ok ? undoReply(result) : { code: "not-done", text: `Not done: ${result.reason}` };
  });
}

/** Takes back what turns, newest first, changed of memory. */
async function revertMemories(
  parts: UndoParts,
  turns: readonly string[],
  author: { readonly turn: string; readonly session: string },
): Promise<UndoResult> {
  const done: string[] = [];
  const conflicts: string[] = [];
  for (const turn of turns) {
    const one = await revertMemory(parts, turn, author);
    done.push(...one.done);
    conflicts.push(...one.conflicts);
  }
  return { done, conflicts };
}

/** The reply of `/redo`. */
export type RedoReply = {
  readonly code: UndoReply["code"] | "redone" | "nothing-to-redo";
  readonly text: string;
};

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
export async function findRunningWork(
  { state, policy }: Pick<UndoParts, "state" | "policy">,
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
  const words = policy.filter(beginOf(atWork.signal.text, 60));
  return `Not done: a turn of session ${atWork.session} is still at work (${atWork.state}): ${words}\nNothing was undone. Wait until it has ended, or say /stop in that session, and then say this again.`;
}

type Commanded = CommandOrigin & {
  readonly effects: readonly Effect[];
  readonly command: "undo" | "redo" | "rewind" | "rollback" | "forget";
};

/** The owner's own words license what asks; nothing licenses what blocks. */
export async function judgeCommand(
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
