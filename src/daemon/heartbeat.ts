import { describeError } from "../text/describe-error.ts";

/** The heartbeat of the daemon: its only timer. A beat is not stored, journalled or thought about. */
export type Heartbeat = { readonly stop: () => void };

/** What a heartbeat needs. `interval` is in milliseconds. */
export type HeartbeatParts = {
  readonly interval: number;
  /** Does what has become due. */
  readonly beat: () => Promise<void>;
  readonly report: (message: string) => void;
};

/** Beats until it is stopped. Beats do not overlap; a beat that fails is reported, and the next one beats. */
export function startHeartbeat({ interval, beat, report }: HeartbeatParts): Heartbeat {
  const now = { beating: false };
  const timer = setInterval(() => {
    if (now.beating) return;
    now.beating = true;
    beat()
      .catch((error: unknown) => report(`A heartbeat failed: ${describeError(error)}`))
      .finally(() => {
        now.beating = false;
      });
  }, interval);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
