import type { Io } from "../kernel/io.ts";

/** Does work that Ctrl-C and SIGTERM abort, so that it can clean up behind itself. */
export async function withInterrupt<T>(io: Io, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const aborting = new AbortController();
  const off = io.onInterrupt(() => aborting.abort(new Error("Stopped by Ctrl-C. Nothing was changed.")));
  try {
    return await work(aborting.signal);
  } catch (error) {
    if (aborting.signal.aborted) throw aborting.signal.reason;
    throw error;
  } finally {
    off();
  }
}
