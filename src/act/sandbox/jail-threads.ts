import { type Interpreter, Jail, keepInterpreter } from "./jail.ts";

/** Where jails come from. */
export type JailThreads = {
  /** A jail that nobody else uses and that has run nothing. Whoever takes it ends it. */
  readonly take: (memoryBytes: number, cancel: AbortSignal) => Promise<Jail>;
  /** Starts a jail ahead of its use, so that the next one is there at once. It ends by itself where nobody takes it. */
  readonly warm: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** The memory of a jail, unless another is asked for: 64 MB. */
export const usualMemory = 64 * 1024 * 1024;

/** Milliseconds that a spare jail waits for somebody to take it. */
const patience = 60_000;

/** Opens a source of jails, which run this interpreter. It holds at most one spare. */
export function openJailThreads(
  worker: URL,
  interpreter: () => Promise<Interpreter> = keepInterpreter(worker),
): JailThreads {
  const closing = new AbortController();
  const held: { spare: Promise<Jail> | null; timer: NodeJS.Timeout | null } = { spare: null, timer: null };
  /** Those in use. What nobody ended until the source is closed is ended then. */
  const taken = new Set<Jail>();
  const start = async (memoryBytes: number, cancel: AbortSignal): Promise<Jail> =>
    Jail.start({ worker, memoryBytes, interpreter: await interpreter() }, cancel);
  const give = (jail: Jail): Jail => {
    for (const one of taken) if (one.ended) taken.delete(one);
    taken.add(jail);
    return jail;
  };
  const release = (): Promise<Jail> | null => {
    const { spare, timer } = held;
    if (timer !== null) clearTimeout(timer);
    held.spare = null;
    held.timer = null;
    return spare;
  };
  const drop = (): void => {
    release()?.then(
      (jail) => jail.end(),
      () => undefined,
    );
  };
  return {
    async take(memoryBytes, cancel) {
      const spare = memoryBytes === usualMemory ? release() : null;
      if (spare !== null) {
        const jail = await spare.catch(() => null);
        if (jail !== null && !jail.ended) return give(jail);
      }
      return give(await start(memoryBytes, AbortSignal.any([cancel, closing.signal])));
    },
    warm() {
      if (closing.signal.aborted) return;
      held.spare ??= start(usualMemory, closing.signal);
      // Whoever takes it sees why it did not start.
      held.spare.catch(() => undefined);
      if (held.timer !== null) clearTimeout(held.timer);
      held.timer = setTimeout(drop, patience);
      held.timer.unref();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await release()?.then(
        (jail) => jail.end(),
        () => undefined,
      );
      await Promise.all([...taken].map((jail) => jail.end()));
    },
  };
}
