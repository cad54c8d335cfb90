/**
 * A question that may take long: who asks while it runs gets the same answer. All are answered in the order
 * in which they asked, so that nothing behind it changes places.
 */
export function shareRuns<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  const run = async (): Promise<T> => {
    try {
      return await ask();
    } finally {
      running = null;
    }
  };
  return () => {
    running ??= run();
    return running;
  };
}
