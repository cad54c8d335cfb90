/** What the program does all the time: it is listed with its jobs, is never paused, and has no runs of its own. */
export type StandingJob = {
  readonly name: string;
  readonly does: string;
  /** When it does that, in words. */
  readonly when: string;
  /** Unix milliseconds at which it did that last; null where it did not since the daemon started. */
  readonly last: () => Promise<number | null>;
  /** Unix milliseconds at which it does that next; null where no time says so. */
  readonly next: () => number | null;
  readonly run: () => Promise<{ readonly ok: boolean; readonly text: string }>;
  /** Why it cannot rest, and what can. */
  readonly whyNotPaused: string;
  /** Where to read what came of it. */
  readonly log: string;
};
