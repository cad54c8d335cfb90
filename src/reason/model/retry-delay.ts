import type { FailureCode, ModelFailure } from "./model-port.ts";

/** How often one provider is asked at most, by the code of the last failure. A prompt that is too long is trimmed and sent once more. */
const mostTries: { readonly [code in FailureCode]: number } = {
  refused: 1,
  "unknown-host": 1,
  "bad-certificate": 1,
  timeout: 1,
  "rate-limited": 4,
  "server-error": 4,
  malformed: 2,
  empty: 2,
  "out-of-tokens": 1,
  "cut-off": 2,
  auth: 1,
  "no-quota": 1,
  "no-model": 1,
  filtered: 1,
  "too-long": 1,
  cancelled: 1,
  "bad-request": 1,
};
const longestRetryAfterMs = 10_000;
const firstBackOffMs = 500;

/**
 * Milliseconds until this provider is asked again; null if the next one is asked instead.
 * `tries` counts the attempts at this provider so far; `jitter` is from 0 up to 1.
 */
export function retryDelay(failure: ModelFailure, tries: number, jitter: number): number | null {
  if (tries >= mostTries[failure.code]) return null;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > longestRetryAfterMs) return null;
  return Math.max(asked, Math.round(firstBackOffMs * 2 ** (tries - 1) * (0.5 + jitter)));
}
