import type { Effect } from "../signal/effect.ts";
import type { PreparedCall } from "./judge-call.ts";

/**
 * Runs calls that change the same files one after the other, whatever session they belong to: the intent of
 * each names the contents that it really changes.
 */
export class FileQueue {
  /** The end of the last call of each file. */
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs work once nothing that was added before it changes these files. */
  async run<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = [...new Set(paths)].flatMap((path) => this.#tails.get(path) ?? []);
    const done = Promise.all(before).then(work);
    const end = done.then(
      () => undefined,
      () => undefined,
    );
    for (const path of paths) this.#tails.set(path, end);
    try {
      return await done;
    } finally {
      for (const path of paths) if (this.#tails.get(path) === end) this.#tails.delete(path);
    }
  }
}

/** The effects of a call that writes files and does nothing else. */
const fileEffects: ReadonlySet<Effect["kind"]> = new Set([
  "read-path",
  "write-path",
  "delete-path",
  "change-memory",
]);

/** Whether a call writes files and does nothing else: it takes no longer than its writes. */
export function onlyWritesFiles({ effects }: Pick<PreparedCall, "effects">): boolean {
  return effects.every(({ kind }) => fileEffects.has(kind));
}
