import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What parsing a script may take: time in ms, memory in MB. Node's own parser takes 80 ms with its thread. */
const limits = { milliseconds: 5000, megabytes: 128 };

/**
 * What is wrong with each text as TypeScript or JavaScript, in words without any of its contents; null for a text that Node can parse, `unknown` where its
 * parser gave up. It runs in a thread of its own: a text that nests too deeply breaks the parser for good.
 */
export async function scriptProblems(texts: readonly string[]): Promise<readonly (string | null)[]> {
  const thread = new Worker(locateScriptWorker(), {
    workerData: texts,
    env: {},
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  });
  let told: readonly (string | null)[] = texts.map(() => "unknown");
  thread.on("message", (message: unknown) => {
    if (Array.isArray(message)) told = message.map((one) => (typeof one === "string" ? one : null));
  });
  try {
    await once(thread, "exit", { signal: AbortSignal.timeout(limits.milliseconds) });
  } catch {
    // What took too long, or too much memory, is unknown.
  } finally {
    await thread.terminate();
  }
  return told;
}

/** The URL of the worker: beside this file, as a source or as the build's entry `script-worker.js`. */
function locateScriptWorker(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./script-worker.ts" : "./script-worker.js", import.meta.url);
}
