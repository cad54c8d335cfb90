/** Work on messages, as much at once as the bound allows. */
export type ConcurrencyLimiter = {
  /** Begins a piece of work now, in the order of the calls, without waiting for the ones before. */
  readonly run: (work: () => Promise<void> | void) => void;
  readonly isIdle: () => boolean;
};

/** What a handling does beside the work. */
export type ConcurrencyLimiterParts = {
  readonly atOnce: number;
  /** The bound is reached: no more messages should be read. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly failed: (error: unknown) => void;
  /** The last piece of work is done. */
  readonly emptied: () => void;
};

/** Keeps count of the messages that are being handled, so that a flood of them waits in the sender's socket and not in memory. */
export function makeConcurrencyLimiter({
  atOnce,
  pause,
  resume,
  failed,
  emptied,
}: ConcurrencyLimiterParts): ConcurrencyLimiter {
  const now = { count: 0 };
  const run = async (work: () => Promise<void> | void): Promise<void> => {
    now.count += 1;
    if (now.count === atOnce) pause();
    try {
      await work();
    } catch (error) {
      failed(error);
    }
    now.count -= 1;
    if (now.count === atOnce - 1) resume();
    if (now.count === 0) emptied();
  };
  return { run: (work) => void run(work), isIdle: () => now.count === 0 };
}
