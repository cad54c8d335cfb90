import { randomUUID } from "node:crypto";
import { z } from "zod";
import { readWholeFile } from "../../act/files/contents.ts";
import { describeUndone } from "../../act/files/undo-file.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import { nameOfSession } from "../../memory/state/name-of-session.ts";
import type { State } from "../../memory/state/state.ts";
import { changesFlippedByUndo } from "../../memory/state/undo-path.ts";
import type { Json } from "../../text/json.ts";
import { least } from "../../text/lists.ts";
import type { CommandReply } from "./command-reply.ts";
import { findMergedPath } from "./merged-path.ts";
import { changedSince } from "./plan-undo.ts";
import type { CommandOrigin, UndoEnd, UndoRequest } from "./undo-request.ts";

const begunUndo = z.strictObject({
  id: z.string(),
  command: z.enum(["undo", "redo", "rewind", "rollback"]),
  session: z.string(),
  /** The id under which a client asked for it. */
  client: z.string().nullable(),
  workspace: z.string().nullable(),
  /** The turns or undos that are undone, newest first; empty where only words are taken back. */
  turns: z.array(z.string()).readonly(),
  /** The numbers of their changes. */
  changes: z.array(z.number()).readonly(),
  /** The snapshot that a rollback goes back to. */
  snapshot: z.number().nullable(),
  /** The turns whose words a rewinding takes back, oldest first. */
  words: z.array(z.string()).readonly(),
  /** The rewinding whose words a redo brings back. */
  rewinding: z.number().nullable(),
});

/** An undo that was begun: what it is about to undo, as it was before the first change. */
export type BegunUndo = Readonly<z.infer<typeof begunUndo>>;

/** A command that undoes changes, and those of an undo too. */
export type UndoCommand = BegunUndo["command"];

type Begun = Omit<BegunUndo, "changes"> & { readonly changes: readonly StoredChange[] };

/** One run of such a command. */
export type UndoRun = {
  /** The id of the undo, under which its own changes are kept. */
  readonly id: string;
  /** What a former process was killed in; null where the command begins now. */
  readonly begun: BegunUndo | null;
  /**
   * Puts on the disk what is about to be undone: from then on it is undone, by the next start after a kill.
   */
  readonly begin: (
    what: Partial<Pick<Begun, "turns" | "changes" | "snapshot" | "words" | "rewinding">>,
  ) => Promise<void>;
};

/** What keeps an undo until it is done and its reply is kept. */
export type BegunUndoParts = {
  readonly state: Pick<State, "begunUndo" | "changes" | "requests" | "sessions">;
};

/** Runs a command that undoes changes, one at a time. */
export function runUndo(
  parts: BegunUndoParts,
  command: UndoCommand,
  by: CommandOrigin,
  act: (run: UndoRun) => Promise<CommandReply>,
): Promise<CommandReply> {
  const { state } = parts;
  const id = randomUUID();
  const { session, clientId: client } = by.signal;
  const about = { id, command, session, client, workspace: by.workspace };
  const nothing = { turns: [], snapshot: null, words: [], rewinding: null };
  return state.changes.runExclusively(() =>
    endWhenDone(parts, about, () =>
      act({
        id,
        begun: null,
        begin: ({ changes = [], ...what }) =>
          state.begunUndo.set({
            ...about,
            ...nothing,
            ...what,
            changes: changes.map(({ number }) => number),
          }),
      }),
    ),
  );
}

/** The undo that is kept; null where none is, or another version kept it. */
export function readBegunUndo(kept: Json): BegunUndo | null {
  const read = begunUndo.safeParse(kept);
  return read.success ? read.data : null;
}

/**
 * Keeps the reply before the undo counts as done. What fails while the process lives is told, and not done
 * later.
 */
export async function endWhenDone(
  { state }: BegunUndoParts,
  { session, client }: Pick<BegunUndo, "session" | "client">,
  act: () => Promise<CommandReply>,
): Promise<CommandReply> {
  try {
    const reply = await act();
    if (client !== null)
      await state.requests.end({ session, client }, JSON.stringify({ kind: "said", ...reply }));
    return reply;
  } finally {
    if ((await state.begunUndo.get()) !== null) await state.begunUndo.set(null);
  }
}

/** The changes that an undo had begun with, oldest first, as they stand now. */
export async function changesBegun(
  { changes }: Pick<State, "changes">,
  { changes: numbers }: BegunUndo,
): Promise<readonly StoredChange[]> {
  const begun = new Set(numbers);
  return (await changes.since(least(begun) - 1)).filter(({ number }) => begun.has(number));
}

/** Confirms the files that an undo restored before a kill came between the file and its note. */
async function confirmRestored(
  { changes }: Pick<State, "changes">,
  id: string,
  { changes: all, operation }: Undoing,
): Promise<void> {
  const own = (await changes.ofTurn(id)).filter(({ kind }) => kind === "file");
  const noted = new Set(own.filter((change) => isMade(change, operation)).map(({ path }) => path));
  for (const { number, path, before, after, mode } of own) {
    if (noted.has(path) || before === after) continue;
    const read = await readWholeFile(path);
    if (!read.ok || (read.value?.digest ?? null) !== after) continue;
    const newestFirst = all.filter((change) => change.kind === "file" && change.path === path).toReversed();
    const kept = before === null ? null : await changes.preImage(before);
    const bytes = kept?.status === "kept" ? kept.bytes : null;
    const { passed } = await findMergedPath({ changes }, newestFirst, { digest: before, bytes });
    const undid = changesFlippedByUndo(passed);
    await changes.confirmUndoChange({ number, mode, undone: operation !== "rollback", undid });
    noted.add(path);
  }
}

/**
 * How far an undo came before a kill: the folders of commands that it undid, what is left of its changes,
 * and whether memory is done.
 */
type Progress = {
  readonly commands: readonly string[];
  readonly left: readonly StoredChange[];
  readonly isMemoryDone: boolean;
};

/** What an undo is to undo, and how. */
type Undoing = Pick<UndoRequest, "changes" | "operation">;

/** Finds how far an undo came, by the changes that it kept under its id. */
export async function progressOf(
  { changes }: Pick<State, "changes">,
  { id, begun }: UndoRun,
  { changes: all, operation }: Undoing,
): Promise<Progress> {
  if (begun === null) return { commands: [], left: all, isMemoryDone: false };
  await confirmRestored({ changes }, id, { changes: all, operation });
  const own = await changes.ofTurn(id);
  const made = own.filter((change) => isMade(change, operation));
  const commands = made.filter(({ kind }) => kind === "command");
  const paths = new Set(made.filter(({ kind }) => kind !== "command").map(({ path }) => path));
  const before = commands.map(({ path }) => path);
  const left: StoredChange[] = [];
  for (const change of all.toReversed()) {
    const at = commands.findIndex((undo) => undo.kind === change.kind && isUndoOf(undo, change));
    if (at >= 0) commands.splice(at, 1);
    else if (change.kind === "command" || !paths.has(change.path)) left.unshift(change);
  }
  return { commands: before, left, isMemoryDone: own.some(({ kind }) => kind === "memory") };
}

/** Whether a change that an undo planned was made. */
function isMade({ undone, undid }: StoredChange, operation: UndoRequest["operation"]): boolean {
  return operation === "rollback" ? !undone : undid.length > 0;
}

function isUndoOf(undo: StoredChange, change: StoredChange): boolean {
  const flipped = [change.number, ...change.undid];
  return (
    undo.path === change.path && (undo.undid.length === 0 || flipped.some((one) => undo.undid.includes(one)))
  );
}

/** What an undo came to, with what it did before a kill. */
export async function endOfRun(
  { changes, sessions }: Pick<State, "changes" | "sessions">,
  { id, begun }: UndoRun,
  {
    operation,
    commands,
    end,
  }: Pick<Undoing, "operation"> & Pick<Progress, "commands"> & { readonly end: UndoEnd },
): Promise<UndoEnd> {
  if (begun === null) return end;
  const all = await changesBegun({ changes }, begun);
  const done = commands.map((path) => `What a command changed in ${path} was undone.`);
  const conflicts: string[] = [];
  const files = Map.groupBy(await changes.ofTurn(id), ({ kind, path }) => (kind === "file" ? path : ""));
  for (const [path, rows] of files) {
    const changed = rows.find((row) => row.before !== row.after && isMade(row, operation));
    if (path === "" || changed === undefined) continue;
    const own = all.filter((change) => change.kind === "file" && change.path === path);
    const isKnown = own.some(({ before }) => before === changed.after);
    const line = describeUndone(path, changed.after === null ? "deleted" : isKnown ? "restored" : "merged");
    const ids = [...new Set(own.map(({ session }) => session))];
    const names = await Promise.all(ids.map((each) => nameOfSession(sessions, each)));
    done.push(operation === "rollback" ? `Session ${names.join(", ")}: ${line}` : line);
    if (own.some(({ undone }) => !undone)) conflicts.push(changedSince(path, "before"));
  }
  if (!end.ok && done.length === 0) return end;
  const since = end.ok ? end : { done: [], conflicts: [end.reason] };
  return {
    ok: true,
    done: [...new Set([...done, ...since.done])],
    conflicts: [...new Set([...conflicts, ...since.conflicts])],
  };
}
