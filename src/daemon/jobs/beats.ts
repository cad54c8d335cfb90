import type { Clock } from "../../text/clock.ts";

/** The heartbeats of a process, one at a time. */
export type Beats = {
  /** Unix milliseconds of the last; null before the first. */
  readonly last: () => number | null;
  /** Unix milliseconds of the next; null where this process has none. */
  readonly next: () => number | null;
  readonly beat: () => Promise<void>;
};

/** The heartbeats of an agent: only the daemon starts them. */
export function openBeats(
  interval: () => number,
  clock: Clock,
  work: () => Promise<void>,
): Beats & { readonly start: () => void } {
  const known: { begun: number | null; last: number | null; now: Promise<void> | null } = {
    begun: null,
    last: null,
    now: null,
  };
  return {
    start() {
      known.begun = clock();
    },
    last: () => known.last,
    next: () => (known.begun === null ? null : (known.last ?? known.begun) + interval()),
    beat() {
      known.last = clock();
      known.now ??= work().finally(() => {
        known.now = null;
      });
      return known.now;
    },
  };
}
