import type { ChatFailure } from "./chat-service.ts";

/** Milliseconds between two tries: they double, up to the longest. */
const shortest = 500;
export const longestPause = 60_000;
/** Milliseconds for which a service may ask at most. */
const longestAsked = 3_600_000;

/** Milliseconds before the next try after so many failures in a row, the last of which is given. */
export function pauseAfter(failure: ChatFailure, failures: number): number {
  if (failure.code === "try-later" && failure.after !== null)
    return Math.min(longestAsked, Math.max(shortest, failure.after));
  return pauseAfterFailures(failures);
}

/** Milliseconds before the next try after so many failures in a row, where nobody asks for a time. */
export function pauseAfterFailures(failures: number): number {
  return Math.min(longestPause, shortest * 2 ** Math.min(failures - 1, 10));
}
