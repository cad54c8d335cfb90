import type { Wait } from "../../signal/clock.ts";

/** Calls `late` after so many milliseconds unless it is called off before; gives what calls it off. */
export function startDeadline(wait: Wait, milliseconds: number, late: () => void): () => void {
  const cancel = new AbortController();
  void wait(milliseconds, cancel.signal).then(() => {
    if (!cancel.signal.aborted) late();
  });
  return () => cancel.abort();
}
