import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { State } from "../../../memory/state/state.ts";
import { isCode } from "../../../memory/storage/private-file.ts";
import { shareRuns } from "../../../memory/storage/share-runs.ts";
import { StateProblem } from "../../../memory/storage/state-problem.ts";

/**
 * A state that refuses to write once its database is not in its place, where the write would be lost without
 * a word, or its lock is not, so that another process may write.
 */
export type GuardedState = {
  readonly state: State;
  /** False once the database or the lock is gone or was replaced. */
  readonly isIntact: () => Promise<boolean>;
  /** Resolves `gone`, and gives its message for the owner. */
  readonly declareGone: () => string;
  /** Resolves, with a message for the owner, when a write or `declareGone` finds the state gone. */
  readonly gone: Promise<string>;
};

/** Guards an opened state by the identity of its database file. */
export async function guardState(state: State, folder: string): Promise<GuardedState> {
  const path = join(folder, "state.db");
  const before = await fileIdentity(path);
  const isInPlace = shareRuns(async () => (await fileIdentity(path)) === before);
  const isIntact = async (): Promise<boolean> => state.isLocked() && (await isInPlace());
  const gone = Promise.withResolvers<string>();
  const declareGone = (): string => {
    const message =
      !state.isLocked() && existsSync(path)
        ? lostLock(folder)
        : `The state folder ${folder} is gone or was replaced, so nothing can be saved, and nothing more is done. Put it back in its place, then start Passepartout again.`;
    gone.resolve(message);
    return message;
  };
  const check = async (): Promise<void> => {
    if (!(await isIntact())) throw new StateProblem("missing", declareGone());
  };
  const guarded: State = {
    ...state,
    async accept(...given) {
      await check();
      return state.accept(...given);
    },
    async commit(step) {
      await check();
      await state.commit(step);
    },
  };
  return { state: guarded, isIntact, declareGone, gone: gone.promise };
}

function lostLock(folder: string): string {
  return `The lock of the state folder ${folder} was removed or replaced, so another process may use the state, too, and nothing more is done here. Start Passepartout again. Leave the file ${join(folder, "lock")} where it is: it is free once its process has ended.`;
}

/** Empty where there is no file. */
async function fileIdentity(path: string): Promise<string> {
  try {
    const { dev, ino } = await stat(path);
    return `${dev} ${ino}`;
  } catch (error) {
    if (isCode(error, "ENOENT")) return "";
    throw error;
  }
}
