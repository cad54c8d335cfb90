/** Milliseconds of processor time for which a piece of work held the event loop at the longest, and in all. */
export type Hold = { readonly longest: number; readonly all: number };

/** Runs a piece of work beside a chain of immediates, and measures the time of this thread's processor between two of them. Other programs do not lengthen it. */
export async function longestHold(work: () => unknown): Promise<Hold> {
  const first = cpu();
  let [last, longest, running] = [first, 0, true];
  const tick = (): void => {
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise(setImmediate);
  await work();
  await new Promise(setImmediate);
  running = false;
  return { longest, all: cpu() - first };
}

function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
