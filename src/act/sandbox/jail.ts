import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import { buildEntry } from "../../signal/build-entry.ts";
import type { JailReply, JailWork, WorkLimits } from "../../signal/jail-work.ts";
import { beginOf } from "../../text/cut-text.ts";
import { describeError } from "../../text/describe-error.ts";

/** The part of WebAssembly's own interface that is used here; the types of Node do not have it. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<Interpreter> };

/**
 * QuickJS as a compiled WebAssembly module: code that nothing can change. Each jail makes an instance of it,
 * with a memory of its own.
 */
export type Interpreter = object;

/** The URL of the jail's worker. */
export function locateJailWorker(): URL {
  return buildEntry("jail-worker");
}

/**
 * Compiles the interpreter that lies beside the jail's worker at the first call, and gives the same from then
 * on: a jail that compiles its own takes three times as long to start. A failed compilation is tried again.
 */
export function keepInterpreter(worker: URL): () => Promise<Interpreter> {
  const compile = async (): Promise<Interpreter> =>
    WebAssembly.compile(await readFile(new URL("emscripten-module.wasm", worker)));
  let compiled: Promise<Interpreter> | null = null;
  return () => {
    compiled ??= compile().catch((fault: unknown) => {
      compiled = null;
      throw fault;
    });
    return compiled;
  };
}

/** What a jail is started with: the URL of its worker, the bytes of its memory, and what it runs. */
type JailStart = { readonly worker: URL; readonly memoryBytes: number; readonly interpreter: Interpreter };

/** Milliseconds that an interpreter gets to start, and those after which one that ignores its own limit is ended. */
const startPatience = 30_000;
const graceMilliseconds = 100;

/** What came of a request. `broken`: the jail cannot be used any further. */
type Answer = { readonly reply: JailReply; readonly broken: boolean };

/**
 * QuickJS in WebAssembly in a thread of its own: no files, no network, no processes, no timers, and no more memory than it was started with.
 * Requests are answered in their order. What breaks a limit ends the jail, and nothing else.
 */
export class Jail {
  readonly #thread: Worker;
  /** Takes the answer of the present request. */
  #settle: (answer: Answer) => void = () => undefined;
  #last: Promise<unknown> = Promise.resolve();
  #ended: Promise<unknown> | null = null;

  private constructor(thread: Worker) {
    this.#thread = thread;
    const fail = (message: string): void => this.#settle(broken("jail-failed", beginOf(message, 500)));
    thread.on("message", (message) => this.#settle(readAnswer(message)));
    thread.on("error", (error) => fail(describeError(error)));
    thread.on("exit", (code) => {
      this.#ended ??= Promise.resolve();
      fail(`the jail ended without a reply (exit code ${code})`);
    });
  }

  /** Starts the thread and its instance of the interpreter. */
  static async start({ worker, memoryBytes, interpreter }: JailStart, cancel: AbortSignal): Promise<Jail> {
    const thread = new Worker(worker, {
      workerData: { memoryBytes, interpreter },
      env: {},
      argv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      // The jail's own memory counts for V8: where it comes near this limit, V8 collects garbage instead of starting.
      resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 },
    });
    const jail = new Jail(thread);
    // It reports by itself that it is ready.
    const { reply } = await jail.#answer(startPatience, cancel);
    thread.unref();
    if (reply.ok) return jail;
    await jail.end();
    throw new Error(reply.message);
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
    this.#thread.ref();
    // What the interpreter does not interrupt is ended with its thread.
    const answer = this.#answer(limits.milliseconds + graceMilliseconds, cancel);
    this.#thread.postMessage({ work, limits });
    const { reply, broken } = await answer;
    if (broken) await this.end();
    else this.#thread.unref();
    return reply;
  }

  /** The next answer of the thread, or why there is none. One timer and one listener a call: an abort signal for each takes longer than the call. */
  async #answer(milliseconds: number, cancel: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const stop = (): void => resolve(broken("cancelled", "stopped"));
    const timer = setTimeout(() => resolve(broken("time-limit", "ended from outside")), milliseconds);
    if (cancel.aborted) stop();
    cancel.addEventListener("abort", stop);
    this.#settle = resolve;
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      cancel.removeEventListener("abort", stop);
    }
  }
}

type FailureCode = (JailReply & { readonly ok: false })["code"];

function noReply(code: FailureCode, message: string): JailReply {
  return { ok: false, code, message, logs: [] };
}

function broken(code: FailureCode, message: string): Answer {
  return { reply: noReply(code, message), broken: true };
}

const answerSchema = z.strictObject({
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

/** What is no answer says so, and ends the jail. */
function readAnswer(message: unknown): Answer {
  const read = answerSchema.safeParse(message);
  return read.success ? read.data : broken("jail-failed", "the jail gave an answer that cannot be read");
}
