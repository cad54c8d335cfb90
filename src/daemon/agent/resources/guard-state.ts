import { statSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../../../memory/state/state.ts";
import { StateProblem } from "../../../memory/storage/state-problem.ts";

/** A state that refuses to write once its database is not in its place, where the write would be lost without a word. */
export type GuardedState = {
  readonly state: State;
  /** False once the database is gone or was replaced. */
  readonly isIntact: () => boolean;
  /** Resolves `gone`, and gives its message for the owner. */
  readonly declareGone: () => string;
  /** Resolves, with a message for the owner, when a write or `declareGone` finds the state gone. */
  readonly gone: Promise<string>;
};

/** Guards an opened state by the identity of its database file. */
export function guardState(state: State, folder: string): GuardedState {
  const path = join(folder, "state.db");
  const before = fileIdentity(path);
  const isIntact = (): boolean => fileIdentity(path) === before;
  const gone = Promise.withResolvers<string>();
  const declareGone = (): string => {
    const message = `The state folder ${folder} is gone or was replaced, so nothing can be saved, and nothing more is done. Put it back in its place, then start Passepartout again.`;
    gone.resolve(message);
    return message;
  };
  const check = (): void => {
    if (!isIntact()) throw new StateProblem("missing", declareGone());
  };
  const guarded: State = {
    ...state,
    async accept(...given) {
      check();
      return state.accept(...given);
    },
    async commit(step) {
      check();
      await state.commit(step);
    },
  };
  return { state: guarded, isIntact, declareGone, gone: gone.promise };
}

/** Empty where there is no file. */
function fileIdentity(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}
