import { fork } from "node:child_process";
import * as z from "zod";

/** Where the program that indexes is: beside this file, as a source or as the build's entry. */
export function locateIndexWorker(): URL {
  return new URL(
    import.meta.url.endsWith(".ts") ? "./index-worker.ts" : "./index-worker.js",
    import.meta.url,
  );
}

/** What brings an index up to date, while it runs. */
export type IndexRun = { readonly done: Promise<void>; readonly stop: () => Promise<void> };

/** What the program is given. */
export const indexRequestSchema = z.strictObject({ folder: z.string(), file: z.string() });

/** How far the program has come, and the ids of the nodes that it saw change and come last. */
const takenSchema = z.strictObject({
  done: z.number(),
  of: z.number(),
  changed: z.string().optional(),
  added: z.string().optional(),
});

/** What the program says: how far it has come, or what it failed at. */
export const indexReportSchema = z.union([takenSchema, z.strictObject({ failed: z.string() })]);

/** Megabytes of JavaScript's memory that the program may have; a larger nursery than Node's leaves less to be moved again and again. */
const limits = ["--max-old-space-size=1024", "--max-semi-space-size=16"];

/**
 * Starts the program in a process of its own: all of the memory that many files take is given back when it ends, as that of a thread is not.
 * `done` rejects with what it failed at. Stopped at any moment, the index keeps what was taken whole; the process ends with its parent, too.
 */
export function runIndexWorker(
  worker: URL,
  given: z.infer<typeof indexRequestSchema>,
  progress: (so: z.infer<typeof takenSchema>) => void,
): IndexRun {
  const child = fork(worker, [], {
    execArgv: [...limits, "--disable-warning=ExperimentalWarning"],
    env: {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const failed: string[] = [];
  child.on("message", (message) => {
    const said = indexReportSchema.parse(message);
    if ("failed" in said) failed.push(said.failed);
    else progress(said);
  });
  child.once("error", reject);
  child.once("close", (code, signal) => {
    const end = `The process that indexes the notes ended too early (${signal ?? `exit code ${code}`}).`;
    if (code === 0) resolve();
    else reject(new Error(failed[0] ?? end));
  });
  child.send(given, (error) => {
    if (error !== null) reject(error);
  });
  return {
    done,
    stop: async () => {
      child.kill("SIGKILL");
      await done.catch(() => undefined);
    },
  };
}
