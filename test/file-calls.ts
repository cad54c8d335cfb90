import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";

/** A synchronous call on the main thread for a file of the slow disk, with where it was made. */
export type FileCall = { readonly name: string; readonly path: string; readonly stack: string };

/** The calls of one round of the event loop: while they run, nobody else is answered. */
export type FileCallWatch = {
  readonly rounds: () => readonly (readonly FileCall[])[];
  readonly stop: () => void;
};

type Call = (...args: readonly unknown[]) => unknown;
type Watched = { readonly isSlow: (path: string) => boolean; readonly milliseconds: number };

/** Calls that take no path and no descriptor, or nothing but change what the process knows. */
const left = ["_toUnixTimestamp"];

/**
 * Watches the calls of `node:fs` for files of a slow disk, on this thread and in this process alone: what
 * SQLite, programs and other threads do is not seen. Synchronous calls are noted and take so many
 * milliseconds longer; asynchronous ones take that longer, too. With 0 nothing takes longer.
 */
export function watchFileCalls(watched: Watched): FileCallWatch {
  if (!isMainThread) throw new Error("file calls are watched on the main thread");
  const undo: (() => void)[] = [];
  const seen = makeRounds();
  const paths = new Map<number, string>();
  const pathOf = (given: unknown): string | null => {
    if (typeof given === "number") return paths.get(given) ?? null;
    const path = given instanceof URL ? given.pathname : Buffer.isBuffer(given) ? given.toString() : given;
    return typeof path === "string" ? path : null;
  };
  const isSlow = (given: unknown): string | null => {
    const path = pathOf(given);
    return path !== null && watched.isSlow(path) ? path : null;
  };
  const replace = (holder: Record<string, unknown>, name: string, made: (call: Call) => Call): void => {
    const call = holder[name];
    if (!isCall(call) || left.includes(name)) return;
    holder[name] = Object.assign(made(call), call);
    undo.push(() => {
      holder[name] = call;
    });
  };
  const entries = fs as unknown as Record<string, unknown>;
  for (const name of Object.keys(entries).filter((one) => one.endsWith("Sync"))) {
    replace(entries, name, (call) => (...args) => {
      const slow = isSlow(args[0]);
      if (slow !== null) {
        seen.note({ name, path: slow, stack: new Error(name).stack ?? "" });
        if (watched.milliseconds > 0) sleep(watched.milliseconds);
      }
      const result = call(...args);
      if (name === "openSync" && typeof result === "number") {
        const path = pathOf(args[0]);
        if (path !== null) paths.set(result, path);
      }
      return result;
    });
  }
  for (const name of Object.keys(fs.promises)) {
    replace(fs.promises as unknown as Record<string, unknown>, name, (call) => async (...args) => {
      if (watched.milliseconds > 0 && isSlow(args[0]) !== null) await pause(watched.milliseconds);
      return call(...args);
    });
  }
  syncBuiltinESMExports();
  return {
    rounds: seen.all,
    stop: () => {
      for (const one of undo) one();
      syncBuiltinESMExports();
    },
  };
}

function makeRounds(): { readonly note: (call: FileCall) => void; readonly all: () => FileCall[][] } {
  const rounds: FileCall[][] = [];
  let open: FileCall[] | null = null;
  return {
    all: () => rounds,
    note: (call) => {
      if (open === null) {
        open = [];
        rounds.push(open);
        setImmediate(() => {
          open = null;
        });
      }
      open.push(call);
    },
  };
}

function isCall(value: unknown): value is Call {
  return typeof value === "function";
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
