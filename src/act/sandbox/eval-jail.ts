import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { Json } from "../../signal/json.ts";
import type { Outcome } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";

/** The limits of code in the jail: time in ms, memory in bytes, characters of the value and of the output. */
export type JailLimits = {
  readonly milliseconds: number;
  readonly memoryBytes: number;
  readonly maxCharacters: number;
};

/** Two seconds, 64 MB, 100,000 characters. */
export const defaultJailLimits: JailLimits = {
  milliseconds: 2000,
  memoryBytes: 64 * 1024 * 1024,
  maxCharacters: 100_000,
};

/** The URL of the jail's worker: beside this file, as a source or as the build's entry `eval-worker.js`. */
export function locateEvalWorker(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./eval-worker.ts" : "./eval-worker.js", import.meta.url);
}

/** Runs JavaScript in QuickJS in WebAssembly, in its own thread: no files, no network, no processes, no timers. Errors, limits and cancellation are outcomes. The thread always ends. */
export async function runInJail(
  { worker, code, limits }: { readonly worker: URL; readonly code: string; readonly limits: JailLimits },
  cancel: AbortSignal,
): Promise<Outcome> {
  if (cancel.aborted) return stopped;
  const thread = new Worker(worker, {
    workerData: { code, ...limits },
    env: {},
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
  });
  let end: AbortSignal | null = null;
  try {
    await nextMessage(thread, AbortSignal.any([cancel, AbortSignal.timeout(10_000)]));
    // What the interpreter does not interrupt is ended with its thread.
    end = AbortSignal.timeout(limits.milliseconds + 100);
    const reply = nextMessage(thread, AbortSignal.any([cancel, end]));
    thread.postMessage("go");
    return outcomeOf(await reply, limits);
  } catch (error) {
    if (cancel.aborted) return stopped;
    return end?.aborted === true ? outOfTime(limits) : crashed(error);
  } finally {
    await thread.terminate();
  }
}

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

const stopped: Outcome = { status: "error", code: "cancelled", message: "The evaluation was stopped." };

function outOfTime({ milliseconds }: JailLimits): Outcome {
  return failure({
    code: "time-limit",
    message: `The evaluation took longer than ${milliseconds} ms and was ended. Evaluate less at once.`,
  });
}

function outOfMemory({ memoryBytes }: JailLimits): Outcome {
  return failure({
    code: "memory-limit",
    message: `The evaluation needed more than ${memoryBytes} bytes of memory and was ended. Evaluate less at once.`,
  });
}

function crashed(error: unknown): Outcome {
  const words = error instanceof Error ? error.message : String(error);
  return failure({
    code: "jail-failed",
    message: `The evaluation failed: ${words.slice(0, 500)}.`,
  });
}

const replySchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), json: z.string(), logs: z.array(z.string()) }),
  z.strictObject({ ok: z.literal(false), name: z.string(), message: z.string(), logs: z.array(z.string()) }),
]);

function outcomeOf(reply: unknown, limits: JailLimits): Outcome {
  const read = replySchema.parse(reply);
  if (read.ok) {
    const cut = read.json.length > limits.maxCharacters;
    const value = cut ? read.json.slice(0, limits.maxCharacters) : parseValue(read.json);
    return success({
      value,
      logs: read.logs,
      ...(cut
        ? { note: `The value is longer than ${limits.maxCharacters} characters; its JSON is cut.` }
        : {}),
    });
  }
  if (read.name === "InternalError" && read.message === "interrupted") return outOfTime(limits);
  if (read.name === "InternalError" && read.message === "out of memory") return outOfMemory(limits);
  const printed = read.logs.length === 0 ? "" : `\nPrinted before: ${read.logs.join("\n").slice(0, 2000)}`;
  return failure({ code: "eval-error", message: `${read.name}: ${read.message}${printed}` });
}

function parseValue(json: string): Json {
  return z.json().parse(JSON.parse(json));
}
