/** Milliseconds that a timer of Node can last: one that is set to more ends at once. */
const longestTimer = 2 ** 31 - 1;

/** Waits in real time: resolves after so many milliseconds, or as soon as it is cancelled. Never rejects. */
export async function wait(milliseconds: number, cancel: AbortSignal): Promise<void> {
  let left = milliseconds;
  for (; left > longestTimer && !cancel.aborted; left -= longestTimer) await waitOnce(longestTimer, cancel);
  await waitOnce(left, cancel);
}

function waitOnce(milliseconds: number, cancel: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (cancel.aborted) return Promise.resolve();
  const over = (): void => {
    clearTimeout(timer);
    cancel.removeEventListener("abort", over);
    resolve();
  };
  const timer = setTimeout(over, milliseconds);
  cancel.addEventListener("abort", over, { once: true });
  return promise;
}
