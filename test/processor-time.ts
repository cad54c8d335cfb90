/**
 * Milliseconds of the processor that a piece of work costs this thread: the least of up to five tries, and no
 * further try once one costs less than `enough`. Other threads, the collector's too, and other processes do
 * not count, so that a loaded machine decides nothing; what is slow by itself is slow in each try.
 */
export async function leastTime(run: () => unknown, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= enough; tries += 1) {
    const before = process.threadCpuUsage();
    await run();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
