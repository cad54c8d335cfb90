import type { FileChange } from "../../signal/tool.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, integerOrNull, json, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import type { UndoBudget } from "./blob-room.ts";
import {
  type DroppedPreImage,
  type PreImage,
  type PreImageOptions,
  type PreImageRequest,
  PreImages,
} from "./pre-images.ts";
import type { Sealing } from "./sealing.ts";
import { subTaskOfTurn } from "./sub-tasks.ts";

/** A change that a turn or an undo made. Digests are SHA-256 in hex, null where there was or is no file. */
export type ChangeRecord = {
  /** Id of the turn or of the undo. */
  readonly turn: string;
  readonly session: string;
  /** Order within the turn. */
  readonly sequence: number;
  /** `memory` says that an undo changed memory too; the history of the objects says which objects. `command`: what a command changed in a folder, or an undo of that, as a set of its own. */
  readonly kind: "file" | "memory" | "command";
  /** A real path, or `memory`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Id of the blob with the contents before the change; null where there was no file. Of a command, the name of its set. */
  readonly preImage: string | null;
  /** The permission bits of a file that was removed; null where the file stayed or was made. */
  readonly mode: number | null;
  readonly undone: boolean;
};

/** A change in the database. */
export type StoredChange = ChangeRecord & {
  /** Order among all changes. */
  readonly number: number;
  /** Numbers of the changes that this change undid or redid: it flipped their `undone`. */
  readonly undid: readonly number[];
};

/** What a command changes in its folder, as the set of that name. */
export type CommandRecord = Pick<ChangeRecord, "turn" | "session"> & {
  readonly workspace: string;
  readonly set: string;
};

/** Change sets and what they replaced. */
export type Changes = {
  /**
   * Stores the contents of a file before they change, encrypted where they are secret. Null bytes (no file) need no blob. They are not kept if they are larger
   * than the quota, or if there is no room for them without dropping what an undo needs. The contents after the change are kept under their digest while there is room.
   */
  readonly storePreImage: (
    bytes: Uint8Array | null,
    options?: PreImageOptions,
  ) => Promise<{ readonly id: string | null; readonly kept: boolean }>;
  /** The pre-images that an undo may need and that would have to be dropped to store this one; empty while there is room. Changes nothing. */
  readonly planPreImage: (request: PreImageRequest) => Promise<readonly DroppedPreImage[]>;
  readonly preImage: (id: string) => Promise<PreImage>;
  /** Stores what a command is about to change, as the last change of its turn so far. It is on the disk when this resolves. */
  readonly recordCommand: (command: CommandRecord) => Promise<void>;
  /** Notes that nothing of what a command was about to change lasts. */
  readonly dropCommand: (set: string) => Promise<void>;
  /** Whether the undo of a command, as the set of that name, is noted as made. */
  readonly isUndoMade: (set: string) => Promise<boolean>;
  /** Forgets changes of a turn that were recorded and never made: no undo meets them. */
  readonly dropUnmade: (turn: string, changes: readonly FileChange[]) => Promise<void>;
  /** The sets of commands that an undo or a redo needs, each with the folder of its command. */
  readonly neededCommands: () => Promise<ReadonlyMap<string, string>>;
  /** The changes of a turn, oldest first. */
  readonly ofTurn: (turn: string) => Promise<readonly StoredChange[]>;
  /** The changes of a turn and of the sub-tasks that it began, oldest first. */
  readonly withSubTasks: (turn: string) => Promise<readonly StoredChange[]>;
  /**
   * Those of them that an undo took back and that were not done again. What a turn gave up by itself is none
   * of it.
   */
  readonly undoneOf: (turn: string) => Promise<readonly StoredChange[]>;
  /** The changes of all sessions after a number, oldest first. */
  readonly since: (number: number) => Promise<readonly StoredChange[]>;
  /** The changes of one file, oldest first. */
  readonly ofFile: (path: string) => Promise<readonly StoredChange[]>;
  /** The paths of all files that were changed. */
  readonly files: () => Promise<readonly string[]>;
  /** The turn or rollback that `/undo` undoes: the latest of the session with a change that is not undone, its own or of a sub-task. */
  readonly latestTurnWithChanges: (session: string) => Promise<string | null>;
  /** The undo that `/redo` takes back: the latest of the session whose changes are still undone, where nothing was changed since. */
  readonly latestUndo: (session: string) => Promise<string | null>;
  /** Stores the changes that an undo is about to make, before it makes them, and returns their numbers. No undo finds them yet. */
  readonly planUndo: (changes: readonly ChangeRecord[]) => Promise<readonly number[]>;
  /** Notes that a planned change was made, and flips `undone` of the changes that it undid. `undone` keeps a later undo from undoing the change itself. */
  readonly confirmUndoChange: (
    change: Pick<StoredChange, "number" | "mode" | "undone" | "undid">,
  ) => Promise<void>;
  /** Runs one undo at a time. */
  readonly runExclusively: <T>(work: () => Promise<T>) => Promise<T>;
};

/** The options of the change sets. `budget` is the room for pre-images, in bytes. */
export type ChangesOptions = {
  readonly clock: Clock;
  readonly budget: UndoBudget;
  readonly sealing: Sealing;
};

/** The change sets of a database. */
export function openChanges(database: Database, { clock, budget, sealing }: ChangesOptions): Changes {
  const preImages = new PreImages({ database, sealing }, budget, clock);
  let last: Promise<unknown> = Promise.resolve();
  return {
    storePreImage: async (bytes, options = {}) => preImages.store(bytes, options),
    planPreImage: async (request) => preImages.plan(request),
    preImage: async (id) => preImages.read(id),
    recordCommand: async (command) =>
      database.forced(() => void insertChange(database, changeOfCommand(database, command))),
    dropCommand: async (set) =>
      database.forced(
        () =>
          void database.run("UPDATE changes SET undone = 1 WHERE kind = 'command' AND pre_image = ?", set),
      ),
    dropUnmade: async (turn, unmade) => dropUnmade(database, turn, unmade),
    neededCommands: async () => {
      const rows = database.all(
        `SELECT pre_image, path FROM changes WHERE kind = 'command' AND pre_image IS NOT NULL AND
           (undone = 0 OR undid != '[]' OR number IN (SELECT one.value FROM changes AS undoing, json_each(undoing.undid) AS one WHERE undoing.undid != '[]'))`,
      );
      return new Map(rows.map((row) => [text(row, "pre_image"), text(row, "path")]));
    },
    ...readChanges(database),
    ...withThoseOfSubTasks(database),
    latestUndo: async (session) => {
      const row = database.get(
        `SELECT turn FROM changes AS undoing WHERE session = ?1 AND undone = 1 AND undid != '[]'
           AND NOT EXISTS (SELECT 1 FROM json_each(undoing.undid) AS one JOIN changes AS other ON other.number = one.value WHERE other.undone = 0)
           AND NOT EXISTS (SELECT 1 FROM changes AS later WHERE later.session = ?1 AND later.undone = 0 AND later.number > undoing.number)
         ORDER BY number DESC LIMIT 1`,
        session,
      );
      return row === undefined ? null : text(row, "turn");
    },
    ...openUndos(database),
    runExclusively: async (work) => {
      const next = last.then(work, work);
      last = next;
      return next;
    },
  };
}

/** What is noted of undos. */
function openUndos(database: Database): Pick<Changes, "planUndo" | "confirmUndoChange" | "isUndoMade"> {
  return {
    planUndo: async (changes) =>
      database.forced(() => changes.map((change) => insertChange(database, { ...change, undone: true }))),
    confirmUndoChange: async ({ number, mode, undone, undid }) =>
      database.forced(() => {
        for (const other of undid) {
          database.run("UPDATE changes SET undone = 1 - undone WHERE number = ?", other);
        }
        database.run(
          "UPDATE changes SET mode = ?, undone = ?, undid = ? WHERE number = ?",
          mode,
          undone ? 1 : 0,
          JSON.stringify(undid),
          number,
        );
      }),
    isUndoMade: async (set) =>
      database.get(
        "SELECT 1 FROM changes WHERE kind = 'command' AND pre_image = ? AND (undone = 0 OR undid != '[]')",
        set,
      ) !== undefined,
  };
}

async function dropUnmade(database: Database, turn: string, unmade: readonly FileChange[]): Promise<void> {
  await database.forced(() => {
    for (const { path, before, after } of unmade)
      database.run(
        `DELETE FROM changes WHERE number = (SELECT MAX(number) FROM changes
           WHERE turn = ? AND kind = 'file' AND path = ? AND before IS ? AND after IS ? AND undone = 0)`,
        turn,
        path,
        before,
        after,
      );
  });
}

function readChanges(database: Database): Pick<Changes, "ofTurn" | "since" | "ofFile" | "files"> {
  const all = (where: string, value: string | number): readonly StoredChange[] =>
    database.all(`SELECT * FROM changes WHERE ${where}`, value).map(changeOf);
  return {
    ofTurn: async (turn) => all("turn = ? ORDER BY sequence", turn),
    since: async (number) => all("number > ? ORDER BY number", number),
    ofFile: async (path) => all("path = ? AND kind = 'file' ORDER BY number", path),
    files: async () =>
      database
        .all("SELECT DISTINCT path FROM changes WHERE kind = 'file' ORDER BY path")
        .map((row) => text(row, "path")),
  };
}

/** The changes of turns with those of the sub-tasks that they began. */
function withThoseOfSubTasks(
  database: Database,
): Pick<Changes, "withSubTasks" | "undoneOf" | "latestTurnWithChanges"> {
  return {
    undoneOf: async (turn) => changesUndone(database, turn),
    withSubTasks: async (turn) =>
      database
        .all(
          "SELECT * FROM changes WHERE turn IN (SELECT ?1 UNION ALL SELECT turn FROM sub_tasks WHERE root = ?1) ORDER BY number",
          turn,
        )
        .map(changeOf),
    latestTurnWithChanges: async (session) => {
      const row = database.get(
        `SELECT turn FROM changes WHERE undone = 0 AND session IN (SELECT ?1 UNION ALL SELECT session FROM sub_tasks WHERE root_session = ?1)
         ORDER BY number DESC LIMIT 1`,
        session,
      );
      if (row === undefined) return null;
      return subTaskOfTurn(database, text(row, "turn"))?.root ?? text(row, "turn");
    },
  };
}

/** The changes of a turn, and of the sub-tasks that it began, that an undo took back. */
export function changesUndone(database: Database, turn: string): readonly StoredChange[] {
  return database
    .all(
      `SELECT * FROM changes AS made WHERE undone = 1 AND undid = '[]'
         AND turn IN (SELECT ?1 UNION ALL SELECT turn FROM sub_tasks WHERE root = ?1)
         AND EXISTS (SELECT 1 FROM changes AS undoing, json_each(undoing.undid) AS one
           WHERE undoing.number > made.number AND undoing.undid != '[]' AND one.value = made.number)
       ORDER BY number`,
      turn,
    )
    .map(changeOf);
}

/** Inserts a change, as a part of the caller's transaction, and returns its number. */
export function insertChange(database: Database, change: ChangeRecord): number {
  const row = database.get(
    "INSERT INTO changes (turn, session, sequence, kind, path, before, after, pre_image, mode, undone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
    change.turn,
    change.session,
    change.sequence,
    change.kind,
    change.path,
    change.before,
    change.after,
    change.preImage,
    change.mode,
    change.undone ? 1 : 0,
  );
  if (row === undefined) throw new Error(`the change of ${change.path} was not kept`);
  return integer(row, "number");
}

function changeOfCommand(database: Database, { turn, session, workspace, set }: CommandRecord): ChangeRecord {
  const last = database.get("SELECT coalesce(max(sequence), 0) AS last FROM changes WHERE turn = ?", turn);
  const sequence = (last === undefined ? 0 : integer(last, "last")) + 1;
  const nothing = { before: null, after: null, mode: null, undone: false };
  return { turn, session, sequence, kind: "command", path: workspace, preImage: set, ...nothing };
}

function changeOf(row: Row): StoredChange {
  return {
    number: integer(row, "number"),
    turn: text(row, "turn"),
    session: text(row, "session"),
    sequence: integer(row, "sequence"),
    kind: oneOf(row, "kind", ["file", "memory", "command"]),
    path: text(row, "path"),
    before: textOrNull(row, "before"),
    after: textOrNull(row, "after"),
    preImage: textOrNull(row, "pre_image"),
    mode: integerOrNull(row, "mode"),
    undone: integer(row, "undone") === 1,
    undid: json<readonly number[]>(row, "undid"),
  };
}
