import { AsyncLocalStorage, createHook } from "node:async_hooks";

/** How many calls of the file system some work makes, and how many processes it starts. */
type CallCounts = { readonly files: number; readonly processes: number };

/** Counts what some work asks of the system, and what it leads to; synchronous calls are not seen. */
export async function countCalls(work: () => Promise<unknown>): Promise<CallCounts> {
  const within = new AsyncLocalStorage<boolean>();
  const counts = { files: 0, processes: 0 };
  const hook = createHook({
    init: (_, type) => {
      if (within.getStore() !== true) return;
      if (type.startsWith("FSREQ")) counts.files += 1;
      if (type === "PROCESSWRAP") counts.processes += 1;
    },
  });
  hook.enable();
  try {
    await within.run(true, work);
  } finally {
    hook.disable();
  }
  return counts;
}
