import { join } from "node:path";
import { errorCode } from "./act/files/attempt.ts";
import { readWhole } from "./act/files/contents.ts";
import type { FileLocks } from "./drive-parts.ts";
import { lockPathOf, readLock } from "./memory/notes/lock-file.ts";
import type { PendingEdit } from "./memory/notes/pending-edits.ts";
import { setAside } from "./memory/notes/set-aside.ts";
import { watchLocks } from "./memory/notes/watch-locks.ts";
import type { State } from "./memory/state.ts";
import { editOf } from "./put-off.ts";
import { isJsonObject } from "./signal/json.ts";
import type { Turn } from "./signal/turn.ts";

/** What the locks of editors are looked at with. */
export type FileLockParts = {
  readonly state: State;
  /** The state folder. */
  readonly folder: string;
  readonly clock: () => number;
  /** Called after a lock that something waits for came or went. */
  readonly changed: () => void;
};

/** The folder of the state folder that holds what could not be written. */
export function asideFolder(state: string): string {
  return join(state, "set-aside");
}

/** The locks of editors, and what waits for them to go. */
export function openFileLocks({ state, folder, clock, changed }: FileLockParts): FileLocks {
  const { watch } = watchLocks(changed);
  return {
    async read(path) {
      try {
        return await readLock(lockPathOf(path));
      } catch (error) {
        if (errorCode(error) === "") throw error;
        return null;
      }
    },
    watch,
    async keepBase(path) {
      const whole = await readWhole(path);
      if (!whole.ok || whole.value === null) return null;
      const { id, kept } = await state.changes.keepPreImage(whole.value.bytes);
      return kept ? id : null;
    },
    async setAside(edit) {
      const place = setAside({ folder: asideFolder(folder), at: clock(), ...versionOf(edit) });
      return `It is kept in ${place}; the file stays as it is.`;
    },
  };
}

/** What files held when a turn's edit was put off, by path: what it is merged on. */
export async function basesOf(state: State, turn: Turn): Promise<ReadonlyMap<string, Uint8Array>> {
  const id = editOf(turn);
  const edit = id === "" ? null : await state.pendingEdits.get(id);
  if (edit === null || edit.base === null) return new Map();
  const kept = await state.changes.preImage(edit.base);
  return new Map(kept.status === "kept" ? [[edit.path, kept.bytes]] : []);
}

/** A whole file that was to be written is that file; any other edit is its arguments as JSON. */
function versionOf({ path, call }: PendingEdit): { readonly path: string; readonly bytes: Uint8Array } {
  const { args } = call.action.payload;
  const content = args !== undefined && isJsonObject(args) ? args["content"] : undefined;
  if (typeof content === "string") return { path, bytes: Buffer.from(content) };
  return {
    path: `${path}.edit.json`,
    bytes: Buffer.from(`${JSON.stringify(call.action.payload, null, 2)}\n`),
  };
}
