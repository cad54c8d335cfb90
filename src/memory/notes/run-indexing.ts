import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { SyncProgress } from "./sync-notes.ts";

/** Where the program of the thread that indexes is: beside this file, as a source or as the build's entry. */
export function locateIndexWorker(): URL {
  return new URL(
    import.meta.url.endsWith(".ts") ? "./index-worker.ts" : "./index-worker.js",
    import.meta.url,
  );
}

/** A thread that brings an index up to date, while it runs. */
export type Indexing = { readonly done: Promise<void>; readonly stop: () => Promise<void> };

/** Starts the thread. `done` rejects with what it threw. Stopped at any moment, the index keeps what was taken whole. */
export function runIndexWorker(
  worker: URL,
  given: { readonly folder: string; readonly file: string },
  progress: (so: TakenInThread) => void,
): Indexing {
  const thread = new Worker(worker, {
    workerData: given,
    env: {},
    argv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  });
  thread.on("message", (message: unknown) => progress(progressSchema.parse(message)));
  const done = new Promise<void>((resolve, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => resolve());
  });
  return {
    done,
    stop: async () => {
      await thread.terminate();
      await done.catch(() => undefined);
    },
  };
}

/** How far the thread has come, and the ids of the nodes that it saw change and come last. */
export type TakenInThread = SyncProgress & {
  readonly changed?: string | undefined;
  readonly added?: string | undefined;
};

const progressSchema = z.strictObject({
  ...{ done: z.number(), of: z.number() },
  ...{ changed: z.string().optional(), added: z.string().optional() },
});
