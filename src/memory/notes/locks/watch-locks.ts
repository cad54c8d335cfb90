import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";

/** A look-out for lock files that come and go. It keeps no process alive, and watches nothing where no file is named. */
export type LockWatcher = {
  /** Looks out for the locks of these files, and for no others. */
  readonly watch: (paths: readonly string[]) => void;
};

/** Opens a look-out. `changed` is called after a lock file of a watched folder came or went; where a folder cannot be watched, it is not. */
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
