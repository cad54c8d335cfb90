/** Limits how many messages are handled at the same time. */
export type ConcurrencyLimiter = {
  /** Starts work at once, in the order of the calls, without waiting for earlier work. */
  readonly run: (work: () => Promise<void> | void) => void;
  readonly isIdle: () => boolean;
};

/** The limit, and what happens when it is reached. */
export type ConcurrencyLimiterParts = {
  readonly atOnce: number;
  /** The limit is reached: no more messages should be read. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly failed: (error: unknown) => void;
  /** The last work is done. */
  readonly emptied: () => void;
};

/** Counts the messages that are being handled, so that a flood of messages waits in the sender's socket and not in memory. */
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
