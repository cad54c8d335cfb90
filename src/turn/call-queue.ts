import type { Effect } from "../signal/effect.ts";
import { rootOf } from "../signal/sub-task.ts";
import type { Turn } from "../signal/turn.ts";
import type { PreparedCall } from "./judge-call.ts";

/**
 * Runs calls that use the same things one after the other, whatever session they belong to: the intent of
 * each names the contents that it really changes, and is judged by all acts that were done for its request.
 */
export class CallQueue {
  /** The end of the last call that uses each thing. */
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs work once nothing that was added before it uses these things. */
  async run<T>(used: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = [...new Set(used)].flatMap((key) => this.#tails.get(key) ?? []);
    const done = Promise.all(before).then(work);
    const end = done.then(
      () => undefined,
      () => undefined,
    );
    for (const key of used) this.#tails.set(key, end);
    try {
      return await done;
    } finally {
      for (const key of used) if (this.#tails.get(key) === end) this.#tails.delete(key);
    }
  }
}

/** What a call uses while no other call does: the files that it writes, and the request that it acts for. */
export function usedAlone(turn: Turn, { effects, changes }: PreparedCall): readonly string[] {
  const files = onlyWritesFiles({ effects }) ? changes.map(({ path }) => path) : [];
  const acts = effects.some((effect) => effect.kind === "use-service" && effect.act !== "read");
  return acts ? [...files, `request ${rootOf(turn)}`] : files;
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
