// Loaded into the process of each test file before Node's test runner. The runner follows every promise, to tell which test an error comes from that
// nobody catches, and that takes a fourteenth of the processor's time. Here it follows none: the test fails during which the error comes.
import asyncHooks from "node:async_hooks";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const { createHook } = asyncHooks;
  asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
  const { afterEach } = await import("node:test");
  asyncHooks.createHook = createHook;
  const errors: unknown[] = [];
  process.on("uncaughtExceptionMonitor", (error) => errors.push(error));
  process.on("unhandledRejection", (error) => errors.push(error));
  afterEach(() => {
    const [error] = errors.splice(0);
    if (error !== undefined) throw error;
  });
}
