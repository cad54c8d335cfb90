import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type PageJob, type PageReport, pageReportSchema } from "./page-report.ts";

/** The limits of reading a page: time in ms, memory in bytes. */
export type PageLimits = { readonly milliseconds: number; readonly memoryBytes: number };

/** Ten seconds, 300 MB. An honest page of 1 MB takes half a second. */
export const defaultPageLimits: PageLimits = { milliseconds: 10_000, memoryBytes: 300_000_000 };

/** How often the memory is measured, in ms. */
const measuredEvery = 50;

/**
 * V8's own limit of the thread, as a multiple of ours. It is behind ours, since V8 may end the whole process
 * where a thread reaches its limit; a busy processor delays the measuring.
 */
const limitOfThread = 3;

/** The result of reading a page: the best that was reported before its thread ended, or why there is nothing. */
export type ReadPage =
  | { readonly ok: true; readonly report: PageReport }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads an HTML page or a PDF in a thread of its own, since the libraries for it are neither linear nor small. What takes too much time or memory is ended;
 * then an HTML page gives its plain text. Cancellation throws.
 */
export async function readPage(job: PageJob, limits: PageLimits, cancel: AbortSignal): Promise<ReadPage> {
  cancel.throwIfAborted();
  const thread = new Worker(locatePageWorker(), {
    workerData: job,
    env: {},
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil((limitOfThread * limits.memoryBytes) / 1_000_000),
      maxYoungGenerationSizeMb: 32,
    },
  });
  let best: PageReport | null = null;
  thread.on("message", (message: unknown) => {
    best = pageReportSchema.parse(message);
  });
  const overMemory = new AbortController();
  const watch = setInterval(() => {
    measure(thread).then(
      (bytes) => bytes > limits.memoryBytes && overMemory.abort(new Error("it needs too much memory")),
      // The thread has ended.
      () => clearInterval(watch),
    );
  }, measuredEvery);
  const time = AbortSignal.timeout(limits.milliseconds);
  let reason = "it has no text";
  try {
    await once(thread, "exit", { signal: AbortSignal.any([cancel, time, overMemory.signal]) });
  } catch (error) {
    cancel.throwIfAborted();
    reason = time.aborted
      ? "it takes too long to read"
      : reasonOf(overMemory.signal.aborted ? overMemory.signal.reason : error);
  } finally {
    clearInterval(watch);
    await thread.terminate();
  }
  return best === null ? { ok: false, reason } : { ok: true, report: best };
}

async function measure(thread: Worker): Promise<number> {
  const { external_memory, used_heap_size } = await thread.getHeapStatistics();
  return external_memory + used_heap_size;
}

/** An error of a class of the thread's own comes over as an object with its message. */
function reasonOf(error: unknown): string {
  const isTold = typeof error === "object" && error !== null && "message" in error;
  const reason = String(isTold ? error.message : error);
  return reason.slice(0, 200).replace(/\.$/, "");
}

/** The URL of the worker: beside this file, as a source or as the build's entry `page-worker.js`. */
function locatePageWorker(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./page-worker.ts" : "./page-worker.js", import.meta.url);
}
