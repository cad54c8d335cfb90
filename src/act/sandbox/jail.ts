import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { JailReply, JailWork, WorkLimits } from "../../signal/jail-work.ts";

/** The URL of the jail's worker: beside this file, as a source or as the build's entry `jail-worker.js`. */
export function locateJailWorker(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./jail-worker.ts" : "./jail-worker.js", import.meta.url);
}

/** Milliseconds that an interpreter gets to start, and those after which one that ignores its own limit is ended. */
const startPatience = 30_000;
const graceMilliseconds = 100;

/**
 * QuickJS in WebAssembly in a thread of its own: no files, no network, no processes, no timers, and no more memory than it was started with.
 * Requests are answered in their order. What breaks a limit ends the jail, and nothing else.
 */
export class Jail {
  readonly #thread: Worker;
  #last: Promise<unknown> = Promise.resolve();
  #ended: Promise<unknown> | null = null;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** Starts the thread and its interpreter. */
  static async start(worker: URL, memoryBytes: number, cancel: AbortSignal): Promise<Jail> {
    const thread = new Worker(worker, {
      workerData: { memoryBytes },
      env: {},
      argv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 },
    });
    const jail = new Jail(thread);
    try {
      await nextMessage(thread, AbortSignal.any([cancel, AbortSignal.timeout(startPatience)]));
      thread.unref();
      return jail;
    } catch (error) {
      await jail.end();
      throw error;
    }
  }

  /** True once it takes no further requests. */
  get ended(): boolean {
    return this.#ended !== null;
  }

  /** Does a piece of work after those before it. Errors, limits and cancellation are replies. */
  async request(work: JailWork, limits: WorkLimits, cancel: AbortSignal): Promise<JailReply> {
    const reply = this.#last.then(() => this.#run(work, limits, cancel));
    this.#last = reply;
    return await reply;
  }

  /** Ends the thread, with whatever it does. */
  async end(): Promise<void> {
    this.#ended ??= this.#thread.terminate();
    await this.#ended;
  }

  async #run(work: JailWork, limits: WorkLimits, cancel: AbortSignal): Promise<JailReply> {
    if (cancel.aborted) return noReply("cancelled", "stopped before it began");
    if (this.ended) return noReply("jail-failed", "the jail has ended");
    // What the interpreter does not interrupt is ended with its thread.
    const end = AbortSignal.timeout(limits.milliseconds + graceMilliseconds);
    this.#thread.ref();
    try {
      const message = nextMessage(this.#thread, AbortSignal.any([cancel, end]));
      this.#thread.postMessage({ work, limits });
      const { reply, broken } = replySchema.parse(await message);
      if (broken) await this.end();
      else this.#thread.unref();
      return reply;
    } catch (error) {
      await this.end();
      if (cancel.aborted) return noReply("cancelled", "stopped");
      if (end.aborted) return noReply("time-limit", "ended from outside");
      return noReply("jail-failed", error instanceof Error ? error.message.slice(0, 500) : String(error));
    }
  }
}

function noReply(code: (JailReply & { readonly ok: false })["code"], message: string): JailReply {
  return { ok: false, code, message, logs: [] };
}

const replySchema = z.strictObject({
  reply: z.discriminatedUnion("ok", [
    z.strictObject({ ok: z.literal(true), json: z.string(), logs: z.array(z.string()) }),
    z.strictObject({
      ok: z.literal(false),
      code: z.enum(["thrown", "time-limit", "memory-limit", "jail-failed", "cancelled"]),
      message: z.string(),
      logs: z.array(z.string()),
    }),
  ]),
  broken: z.boolean(),
});

async function nextMessage(thread: Worker, signal: AbortSignal): Promise<unknown> {
  const settled = new AbortController();
  const until = { signal: AbortSignal.any([signal, settled.signal]) };
  try {
    const message: readonly unknown[] = await Promise.race([
      once(thread, "message", until),
      once(thread, "exit", until).then((codes: readonly unknown[]) => {
        throw new Error(`the jail ended without a reply (exit code ${String(codes[0])})`);
      }),
    ]);
    return message[0];
  } finally {
    settled.abort();
  }
}
