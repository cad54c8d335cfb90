import { stat } from "node:fs/promises";
import type { FilePorts } from "./act/files/file-ports.ts";
import { undoFile } from "./act/undo.ts";
import type { DriveParts } from "./drive-parts.ts";
import type { Ground } from "./ground.ts";
import type { ChangeRecord } from "./memory/changes.ts";
import type { State } from "./memory/state.ts";
import type { Effect } from "./signal/effect.ts";
import { bottom } from "./signal/label.ts";
import type { Signal } from "./signal/signal.ts";
import type { Turn } from "./signal/turn.ts";

export type TakeBackParts = {
  readonly state: State;
  readonly ground: Ground;
  readonly journal: DriveParts["journal"];
  readonly digestOfFile: (path: string) => Promise<string | null>;
  readonly keepPreImage: FilePorts["keepPreImage"];
};

/** What was taken back, line by line, and what could not be. */
export type TakenBack = { readonly done: readonly string[]; readonly conflicts: readonly string[] };

/** Takes back one turn's changes of files and memory, newest first; what a person changed since stays as it is. */
export async function takeBackTurn(
  parts: TakeBackParts,
  turn: { readonly id: string; readonly session: string },
): Promise<TakenBack> {
  const done: string[] = [];
  const conflicts: string[] = [];
  const changes = (await parts.state.changes.ofTurn(turn.id)).filter((change) => !change.undone);
  for (const change of [...changes].reverse()) {
    if (change.kind !== "file") continue;
    const { status, message } = await takeBackFile(parts, change);
    if (status === "restored" || status === "deleted") done.push(message);
    else if (status !== "unchanged") conflicts.push(message);
  }
  const objects = await parts.state.objects.revertTurn(turn.id, { turn: turn.id, session: turn.session });
  if (objects.reverted.length > 0) done.push(`${objects.reverted.length} changes of memory taken back.`);
  if (objects.conflicts.length > 0)
    conflicts.push(`${objects.conflicts.length} memory objects changed since and stay.`);
  await parts.state.changes.markUndone(turn.id);
  await parts.journal({
    kind: "rollback",
    turn: turn.id,
    session: turn.session,
    changes: changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
    detail: { done: done.length, conflicts: conflicts.length },
  });
  return { done, conflicts };
}

async function takeBackFile(parts: TakeBackParts, change: ChangeRecord) {
  const now = await parts.digestOfFile(change.path);
  if (now === change.before) return { status: "unchanged", message: "" };
  if (change.before === null) {
    return undoFile({
      path: change.path,
      after: change.after,
      preImage: null,
      keepPreImage: parts.keepPreImage,
    });
  }
  const kept = await parts.state.changes.preImage(change.before);
  if (kept.status !== "kept") {
    return { status: "failed", message: `${change.path}: what it held before is gone (${kept.reason}).` };
  }
  const mode = now === null ? 0o600 : (await stat(change.path)).mode & 0o777;
  const preImage = { bytes: kept.bytes, mode: change.mode ?? mode };
  return undoFile({ path: change.path, after: change.after, preImage, keepPreImage: parts.keepPreImage });
}

/** Undoes the session's last turn that changed something, by the owner's own command, judged like any action. */
export async function undoLast(
  parts: TakeBackParts,
  signal: Signal,
  workspace: string | null,
): Promise<string> {
  const id = await parts.state.changes.latestTurnWithChanges(signal.session);
  if (id === null) return "There is nothing to undo in this session.";
  const refusal = await judgeCommand(parts, { signal, workspace, turns: [id], command: "undo" });
  if (refusal !== null) return refusal;
  return told(await takeBackTurn(parts, { id, session: signal.session }), "Undone");
}

/** Takes memory and files back to a snapshot (without an id: to before the session's last change), itself undoable. */
export async function rollBackTo(
  parts: TakeBackParts,
  {
    signal,
    workspace,
    id,
  }: { readonly signal: Signal; readonly workspace: string | null; readonly id: string | null },
): Promise<string> {
  const snapshots = await parts.state.objects.snapshots();
  const last = await parts.state.changes.latestTurnWithChanges(signal.session);
  const found =
    id === null
      ? snapshots.findLast(({ note }) => note === last)
      : snapshots.find((snapshot) => String(snapshot.id) === id);
  if (found === undefined) {
    return id === null
      ? "Nothing of this session changed anything, so there is nothing to roll back."
      : `There is no snapshot ${id}. \`passepartout memory history\` lists them.`;
  }
  const turns = await turnsSince(parts.state, found.at);
  const refusal = await judgeCommand(parts, {
    signal,
    workspace,
    turns: turns.map((turn) => turn.id),
    command: "rollback",
  });
  if (refusal !== null) return refusal;
  const lines: string[] = [];
  for (const turn of turns.toReversed()) {
    const { done, conflicts } = await takeBackTurn(parts, turn);
    if (done.length + conflicts.length > 0) lines.push(`Session ${turn.session}:`, ...done, ...conflicts);
  }
  const memory = await parts.state.objects.rollback(found.id, { turn: null, session: signal.session });
  await parts.journal({ kind: "rollback", session: signal.session, detail: { snapshot: found.id } });
  if (!memory.ok) return [...lines, memory.reason].join("\n");
  return [
    `Rolled back to snapshot ${found.id}. Memory as it was before this is snapshot ${memory.undo.id}.`,
    ...lines,
    ...memory.sessions.map(
      ({ session, changes }) => `Session ${session ?? "(none)"}: ${changes} changes of memory.`,
    ),
  ].join("\n");
}

/** Turns of any session that changed files since a point in time, oldest first. */
async function turnsSince(state: State, at: number): Promise<readonly Turn[]> {
  const found: Turn[] = [];
  for (const session of await state.sessions.list()) {
    for (const turn of await state.turns.ofSession(session.id, { limit: 1000 })) {
      if (turn.updatedAt < at) continue;
      const changes = await state.changes.ofTurn(turn.id);
      if (changes.some((change) => !change.undone)) found.push(turn);
    }
  }
  return found.sort((a, b) => a.startedAt - b.startedAt);
}

type Commanded = {
  readonly signal: Signal;
  readonly workspace: string | null;
  readonly turns: readonly string[];
  readonly command: string;
};

/** The owner's own words license what asks; nothing licenses what blocks. Null where it may go on. */
async function judgeCommand(
  parts: TakeBackParts,
  { signal, workspace, turns, command }: Commanded,
): Promise<string | null> {
  const effects: Effect[] = [
    {
      kind: "change-memory",
      target: command,
      realm: "own",
      operation: command,
      label: signal.label,
      reversal: "undoable",
    },
  ];
  for (const turn of turns) {
    for (const { kind, path } of await parts.state.changes.ofTurn(turn)) {
      if (kind === "file")
        effects.push({
          kind: "write-path",
          target: path,
          change: "replace",
          label: bottom,
          reversal: "undoable",
        });
    }
  }
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
  const first = parts.ground.judge(effects, parts.ground.factsOf(about));
  const licence = {
    kind: "intent" as const,
    name: `the owner's own /${command}`,
    discharges: first.asks.map((ask) => ask.code),
    effectIndexes: effects.map((_, index) => index),
  };
  const facts = parts.ground.factsOf({ ...about, licences: [licence] });
  const verdict = parts.ground.judge(effects, facts);
  await parts.journal({
    kind: verdict.verdict === "pass" ? "intent" : "verdict",
    session: signal.session,
    effects,
    facts,
    verdict: verdict.verdict,
    trace: verdict.trace,
    detail: { command },
  });
  return verdict.verdict === "pass" ? null : `Not done: ${verdict.reason}`;
}

function told({ done, conflicts }: TakenBack, word: string): string {
  if (done.length + conflicts.length === 0) return `${word}: everything was already as it was before.`;
  return [`${word}.`, ...done, ...conflicts].join("\n");
}
