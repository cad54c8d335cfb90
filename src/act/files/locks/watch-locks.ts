import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";

/** Watches for lock files. It does not keep the process alive, and watches nothing until files are named. */
export type LockWatcher = {
  /** Watches the locks of these files only. */
  readonly watch: (paths: readonly string[]) => void;
};

/** Starts to watch locks. `changed` is called after a lock file appeared or disappeared in a watched folder. A folder that cannot be watched is skipped. */
export function watchLocks(changed: () => void): LockWatcher {
  const open = new Map<string, FSWatcher>();
  const stop = (folder: string): void => {
    open.get(folder)?.close();
    open.delete(folder);
  };
  const start = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || name.startsWith(".#")) changed();
      });
      watcher.on("error", () => stop(folder));
      open.set(folder, watcher);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  };
  return {
    watch(paths) {
      const wanted = new Set(paths.map((path) => dirname(path)));
      for (const folder of [...open.keys()]) if (!wanted.has(folder)) stop(folder);
      for (const folder of wanted) if (!open.has(folder)) start(folder);
    },
  };
}
