import { formatDuration } from "../text/format-duration.ts";

/** A provider that is not asked for a while, because it failed in a way that asking again at once does not mend. */
export type ProviderRest = {
  readonly provider: string;
  /** The digest of the settings that failed, and the model. With others the provider does not rest. */
  readonly settings: string;
  readonly model: string;
  /** What happened, as a person reads it. */
  readonly reason: string;
  /** Failures since its last answer. */
  readonly failures: number;
  /** Unix milliseconds. */
  readonly until: number;
  /** Whether the provider itself asked for the time (`Retry-After`). Then it is not asked before. */
  readonly isWanted: boolean;
};

/** Keeps rests over a restart. */
export type ProviderRests = {
  readonly all: () => Promise<readonly ProviderRest[]>;
  /** Replaces what is kept. */
  readonly save: (rests: readonly ProviderRest[]) => Promise<void>;
};

/**
 * The longest rest, in milliseconds: a day. A provider that wants more time is asked earlier nevertheless.
 */
export const longestWantedRest = 86_400_000;

/**
 * Whether a rest counts at a time. One that would last longer than any rest does began while a clock was
 * ahead.
 */
export function isResting({ until }: ProviderRest, now: number): boolean {
  return until > now && until <= now + longestWantedRest;
}

/** Why a provider is not asked, as a clause about it. */
export function describeRest({ until, reason }: ProviderRest, now: number): string {
  const time = until > now ? `for ${formatDuration(until - now)} more` : "while another call tries it";
  return `rests ${time}, since it failed: ${reason}`;
}
