import { join } from "node:path";
import { readWholeFile } from "../../../act/files/contents.ts";
import { errorCode } from "../../../act/files/fallible.ts";
import type { FilePorts } from "../../../act/files/file-ports.ts";
import { describeLock, lockPathOf, readLock } from "../../../act/files/locks/lock-file.ts";
import { watchLocks } from "../../../act/files/locks/watch-locks.ts";
import type { DeferredEdit } from "../../../memory/state/deferred-edits.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Signal } from "../../../signal/signal.ts";
import type { Caller } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { isJsonObject } from "../../../text/json.ts";
import { deferredEditId } from "../../../turn/deferred-edit-turn.ts";
import type { FileLocks } from "../../../turn/file-locks.ts";
import type { OpenEditors } from "./open-editors.ts";

/** What reading the locks of editors needs. */
export type FileLockParts = {
  /** The state folder. */
  readonly folder: string;
  readonly clock: () => number;
  readonly keepPreImage: FilePorts["keepPreImage"];
  readonly editors: Pick<OpenEditors, "isEditable" | "holdOff" | "refusalOf">;
  /** Called after a watched lock came or went. */
  readonly changed: () => void;
};

/** Where edits are kept that could not be made. */
function asideFolder(state: string): string {
  return join(state, "set-aside");
}

/** Opens the locks of editors. */
export function openFileLocks({ folder, clock, keepPreImage, editors, changed }: FileLockParts): FileLocks {
  const { watch } = watchLocks(changed);
  return {
    async holderOf(path) {
      try {
        const lock = await readLock(lockPathOf(path));
        const refusal = editors.refusalOf(path);
        if (lock === null) return null;
        return `${describeLock(path, lock)}${refusal === "" ? "" : `, and ${refusal}`}`;
      } catch (error) {
        if (errorCode(error) === "") throw error;
        return null;
      }
    },
    isEditable: editors.isEditable,
    holdOff: editors.holdOff,
    watch,
    async keepBase(path) {
      const whole = await readWholeFile(path);
      if (!whole.ok || whole.value === null) return null;
      try {
        return await keepPreImage({ path, before: whole.value.bytes, after: null, mode: null });
      } catch (error) {
        if (error instanceof Error) return whole.value.digest;
        throw error;
      }
    },
    async setAside(edit) {
      const { saveConflictCopy } = await import("../../../memory/notes/edits/conflict-copies.ts");
      const place = saveConflictCopy({ folder: asideFolder(folder), at: clock(), ...versionOf(edit) });
      return `It is kept in ${place}; the file stays as it is.`;
    },
    async forgetSetAside(note) {
      const { deleteConflictCopies } = await import("../../../memory/notes/edits/conflict-copies.ts");
      return deleteConflictCopies(asideFolder(folder), note);
    },
  };
}

/** For the turn of a deferred edit: the signal that the edit was proposed on, and what its file held then. Null for any other turn. */
export async function findDeferralContext(
  state: State,
  turn: Turn,
): Promise<{ readonly signal: Signal; readonly bases: NonNullable<Caller["bases"]> } | null> {
  const id = deferredEditId(turn);
  const edit = id === "" ? null : await state.deferredEdits.get(id);
  const proposed = edit === null ? null : await state.turns.get(edit.turn);
  if (edit === null || proposed === null) return null;
  const kept = edit.base === null ? null : await state.changes.preImage(edit.base);
  const bytes = kept?.status === "kept" ? kept.bytes : null;
  return { signal: proposed.signal, bases: new Map([[edit.path, { digest: edit.base, bytes }]]) };
}

/** The file that an edit would have written; for an edit of a part of a file, its arguments as JSON. */
function versionOf({ path, call }: DeferredEdit): { readonly path: string; readonly bytes: Uint8Array } {
  const { args } = call.action.payload;
  const content = args !== undefined && isJsonObject(args) ? args["content"] : undefined;
  if (typeof content === "string") return { path, bytes: Buffer.from(content) };
  return {
    path: `${path}.edit.json`,
    bytes: Buffer.from(`${JSON.stringify(call.action.payload, null, 2)}\n`),
  };
}
