/** The beat of the daemon: the only clock work there is. Nothing of it is stored, journalled or thought about. */
export type Heartbeat = { readonly stop: () => void };

/** What a beat needs: the interval in ms, the time, and what is looked at for things that have become due. */
export type HeartbeatParts = {
  readonly interval: number;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Looks for what has become due; what that comes to is a signal or a step of its own. */
  readonly beat: (unixSeconds: number) => Promise<void>;
  readonly report: (message: string) => void;
};

/** Beats until it is stopped; one beat at most is under way, and one that fails is reported and harms no later one. */
export function startHeartbeat({ interval, clock, beat, report }: HeartbeatParts): Heartbeat {
  const now = { beating: false };
  const timer = setInterval(() => {
    if (now.beating) return;
    now.beating = true;
    beat(Math.floor(clock() / 1000))
      .catch((error: unknown) => report(`A heartbeat failed: ${String(error)}`))
      .finally(() => {
        now.beating = false;
      });
  }, interval);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
