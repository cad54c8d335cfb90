/** Waits in real time: resolves after so many milliseconds, or as soon as it is cancelled. Never rejects. */
export function wait(milliseconds: number, cancel: AbortSignal): Promise<void> {
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
