import { asRedone } from "../../act/files/undo-file.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import { nameOfSession } from "../../memory/state/name-of-session.ts";
import type { Effect } from "../../signal/effect.ts";
import { beginOf } from "../../text/cut-text.ts";
import { pushAll } from "../../text/lists.ts";
import { changesBegun, endOfRun, progressOf, type UndoCommand, type UndoRun } from "./begun-undo.ts";
import type { CommandOrigin, UndoDecision, UndoParts, UndoResult } from "./undo-request.ts";
import { revertMemory, undoChanges } from "./undo-turn.ts";

/** Undoes the session's last turn or rollback that changed something and still stands. It is the owner's own command, and judged like any action. */
export async function undoLast(parts: UndoParts, by: CommandOrigin, run: UndoRun): Promise<UndoReply> {
  const { changes } = parts.state;
  const undone = await takeBack(parts, by, {
    command: "undo",
    run,
    async find() {
      const last = await changes.latestTurnWithChanges(by.signal.session);
      if (last === null) return null;
      const standing = (await changes.withSubTasks(last)).filter((change) => !change.undone);
      const subTasks = await parts.state.subTasks.turnsUnder(last);
      return { turns: [...subTasks.toReversed(), last], changes: standing };
    },
  });
  if (undone !== null) return undone;
  // What the first turn changes is kept once it is done.
  const busy = await findRunningWork(parts, by.signal.session);
  if (busy !== null) return { code: "not-done", text: busy };
  return { code: "nothing-to-undo", text: "There is nothing to undo in this session." };
}

/** Takes the last undo of the session back, where nothing was changed since. Judged like any action. */
export async function redoLast(
  parts: UndoParts,
  by: CommandOrigin,
  { run, rewinding = null }: { readonly run: UndoRun; readonly rewinding?: number | null },
): Promise<RedoReply> {
  const { changes } = parts.state;
  const undone = await takeBack(parts, by, {
    command: "redo",
    run,
    rewinding,
    async find() {
      const last = await changes.latestUndo(by.signal.session);
      // All of its changes are there to be taken back: they count as undone, so that no `/undo` takes them.
      if (last === null) return null;
      // Of a command that an undo came to twice, since a kill cut it off, the first time left nothing.
      const made = (await changes.ofTurn(last)).filter(
        ({ kind, undid }) => kind !== "command" || undid.length > 0,
      );
      return { turns: [last], changes: made };
    },
  });
  if (undone === null) {
    const text = "There is nothing to redo: the last change of this session was no undo.";
    return { code: "nothing-to-redo", text };
  }
  const { code, text } = undone;
  return { code: code === "undone" ? "redone" : code, text: asRedone(text.replace(/^Undone/, "Done again")) };
}

/** What is taken back: turns or undos, newest first, with the changes of theirs that are there to be taken back, oldest first. */
export type TakenBack = { readonly turns: readonly string[]; readonly changes: readonly StoredChange[] };

/** What takes changes back. `words` and `rewinding` are for what happens after the files. */
type TakingBack = {
  readonly command: UndoCommand;
  readonly run: UndoRun;
  readonly find: () => Promise<TakenBack | null>;
  readonly words?: readonly string[];
  readonly rewinding?: number | null;
};

/** Takes the changes of turns, or of an undo, back. Null where there is nothing of the kind. */
export async function takeBack(
  parts: UndoParts,
  by: CommandOrigin,
  { command, run, find, words = [], rewinding = null }: TakingBack,
): Promise<UndoReply | null> {
  const { state } = parts;
  const { session } = by.signal;
  const { id, begun } = run;
  const found =
    begun === null ? await find() : { turns: begun.turns, changes: await changesBegun(state, begun) };
  if (found === null) return null;
  const busy = begun === null ? await findRunningWork(parts, session, { turns: found.turns }) : null;
  if (busy !== null) return { code: "not-done", text: busy };
  await run.begin({ turns: found.turns, changes: found.changes, words, rewinding });
  const undoing = { changes: found.changes, operation: "undo" } as const;
  const before = await progressOf(state, run, undoing);
  const end = await undoChanges(parts, {
    id,
    session,
    turn: null,
    operation: undoing.operation,
    changes: before.left,
    memory: async () =>
      before.isMemoryDone
        ? { done: [], conflicts: [] }
        : revertMemories(parts, found.turns, { turn: id, session }),
    judge: (effects) => judgeCommand(parts, { ...by, effects, command }),
  });
  const result = await endOfRun(state, run, { ...undoing, commands: before.commands, end });
  if (result.ok && found.changes.length === 0 && result.done.length + result.conflicts.length === 0)
    return { code: "undone", text: "There is nothing to undo in files: nothing was changed." };
  return result.ok ? undoReply(result) : { code: "not-done", text: `Not done: ${result.reason}` };
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
    pushAll(done, one.done);
    pushAll(conflicts, one.conflicts);
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

/** What is to be taken back: of these sessions, and of these turns. */
type Concerned = { readonly sessions?: ReadonlySet<string>; readonly turns?: readonly string[] };

/**
 * Why nothing can be undone now: a turn is changing, or is about to change, the same things. `own`: the
 * session in which that is said.
 */
export async function findRunningWork(
  { state, policy }: Pick<UndoParts, "state" | "policy">,
  own: string,
  { sessions = new Set([own]), turns = [] }: Concerned = {},
): Promise<string | null> {
  const atWork = (await state.turns.unfinished()).find(
    (turn) =>
      sessions.has(turn.session) &&
      (turn.state === "judging" ||
        turn.state === "acting" ||
        (turn.state === "thinking" && turns.includes(turn.id))),
  );
  if (atWork === undefined) return null;
  const words = beginOf(policy.filter(atWork.signal.text), 60);
  const [where, there] =
    atWork.session === own
      ? ["this session", ""]
      : [`session ${await nameOfSession(state.sessions, atWork.session)}`, " in that session"];
  return `Not done: a turn of ${where} is still at work (${atWork.state}): ${words}\nNothing was undone. Wait until it has ended, or say /stop${there}, and then say this again.`;
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
  const blocked = trace.filter(({ result }) => result === "blocked");
  const reasons = blocked.flatMap((line) => line.effects.map((index) => [index, line.reason] as const));
  return { ok: false, reason, blocked: new Map(reasons) };
}

function undoReply({ done, conflicts }: UndoResult): UndoReply {
  if (done.length + conflicts.length === 0)
    return { code: "undone", text: "Nothing had to be changed: everything is already as it was before." };
  const lines = [...done, ...conflicts].join("\n");
  if (conflicts.length === 0) return { code: "undone", text: `Undone.\n${lines}` };
  return done.length === 0
    ? { code: "not-done", text: `Not undone.\n${lines}` }
    : { code: "undone-in-part", text: `Undone in part.\n${lines}` };
}
