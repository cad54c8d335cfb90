import { fork } from "node:child_process";
import * as z from "zod";
import { buildEntry } from "../../../signal/build-entry.ts";

/** Locates the program of the child process. */
export function locateIndexWorker(): URL {
  return buildEntry("index-worker");
}

/** A running child process that indexes. */
export type IndexRun = { readonly done: Promise<void>; readonly stop: () => Promise<void> };

/** The request to the child process. */
export const indexRequestSchema = z.strictObject({
  folder: z.string(),
  otherFolders: z.array(z.string()).readonly().default([]),
  variables: z.array(z.strictObject({ key: z.string(), value: z.string() })).readonly(),
  file: z.string(),
});

/** The progress of the child process, with the IDs of the nodes that it changed and added last. */
const takenSchema = z.strictObject({
  done: z.number(),
  of: z.number(),
  changed: z.string().optional(),
  added: z.string().optional(),
});

/** A message of the child process: its progress, or its failure. */
export const indexReportSchema = z.union([takenSchema, z.strictObject({ failed: z.string() })]);

/** Limits of the child's JavaScript heap. A larger young generation than Node's default means less copying. */
const limits = ["--max-old-space-size=1024", "--max-semi-space-size=16"];

/**
 * Starts the child process. A process gives all of its memory back when it ends, which a thread does not.
 * `done` rejects with its failure. The process may be stopped at any moment, since each transaction is complete by itself; it also ends with its parent.
 */
export function runIndexWorker(
  worker: URL,
  given: z.input<typeof indexRequestSchema>,
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
    const end = `The process that indexes the notes ended too early (${signal ?? `exit code ${code}`}). The next sync continues its work.`;
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
