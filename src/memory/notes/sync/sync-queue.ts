import { describeError } from "../../../text/describe-error.ts";
/** Runs one sync at a time. Requests that arrive meanwhile are combined into the next one. */
export type SyncQueue = {
  /** Requests a sync of these paths, or of everything for null. Resolves when it is done or was dropped. */
  readonly request: (paths: readonly string[] | null) => Promise<void>;
  /** Drops waiting requests; a running sync goes on. */
  readonly close: () => void;
  readonly idle: () => Promise<void>;
};

type Wanted = { paths: Set<string> | null; readonly done: PromiseWithResolvers<void> };

/** Makes a queue around a sync function. An error is reported, and the next request runs. */
export function makeSyncQueue(
  sync: (paths: readonly string[] | null) => Promise<void>,
  report: (message: string) => void,
): SyncQueue {
  const state: { running: Promise<void> | null; next: Wanted | null; closed: boolean } = {
    running: null,
    next: null,
    closed: false,
  };
  const run = async (): Promise<void> => {
    for (let wanted = state.next; wanted !== null && !state.closed; wanted = state.next) {
      state.next = null;
      try {
        await sync(wanted.paths === null ? null : [...wanted.paths]);
      } catch (error) {
        report(`The notes could not be indexed: ${describeError(error)}`);
      }
      wanted.done.resolve();
    }
    state.running = null;
  };
  return {
    request(paths) {
      if (state.closed) return Promise.resolve();
      state.next ??= { paths: new Set(), done: Promise.withResolvers<void>() };
      const { next } = state;
      if (paths === null) next.paths = null;
      else for (const path of paths) next.paths?.add(path);
      state.running ??= run();
      return next.done.promise;
    },
    close() {
      state.closed = true;
      state.next?.done.resolve();
    },
    idle: async () => {
      await state.running;
    },
  };
}
