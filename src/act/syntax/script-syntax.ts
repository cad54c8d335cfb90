import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { ParsedScript } from "./script-parser.ts";

/** What parsing scripts may take: time in ms once the thread runs, and until it does; memory in MB. */
const limits = { milliseconds: 10_000, startMilliseconds: 60_000, megabytes: 256 };

const parsedSchema = z.array(
  z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("script"),
      declarations: z.array(
        z.strictObject({
          name: z.string(),
          kind: z.string(),
          from: z.number(),
          to: z.number(),
          begin: z.number(),
          end: z.number(),
        }),
      ),
    }),
    z.strictObject({ kind: z.literal("wrong"), line: z.number(), column: z.number() }),
    z.strictObject({ kind: z.literal("unknown") }),
  ]),
);

/**
 * Parses texts as TypeScript or JavaScript; with `markup`, JSX is part of it. It runs in a thread of its own, which is ended where a text takes too long, too
 * much memory or nests too deeply: then all of them are unknown.
 */
export async function parseScripts(
  texts: readonly string[],
  markup: boolean,
): Promise<readonly ParsedScript[]> {
  const thread = new Worker(locateScriptWorker(), {
    workerData: [markup, ...texts],
    env: {},
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  });
  let told: readonly ParsedScript[] = texts.map(() => ({ kind: "unknown" }));
  thread.on("message", (message: unknown) => {
    told = parsedSchema.parse(message);
  });
  try {
    const over = once(thread, "exit", { signal: AbortSignal.timeout(limits.startMilliseconds) });
    await Promise.race([over, once(thread, "online")]);
    await Promise.race([over, once(thread, "exit", { signal: AbortSignal.timeout(limits.milliseconds) })]);
  } catch {
    // What took too long, or too much memory, is unknown.
  } finally {
    await thread.terminate();
  }
  return told;
}

/** What is wrong with each text, in words without any of its contents; null for a text that can be parsed, `unknown` where the parser gave up. */
export async function scriptProblems(
  texts: readonly string[],
  markup: boolean,
): Promise<readonly (string | null)[]> {
  return (await parseScripts(texts, markup)).map((parsed) =>
    parsed.kind === "script"
      ? null
      : parsed.kind === "unknown"
        ? "unknown"
        : `it is no TypeScript at line ${parsed.line}, column ${parsed.column}`,
  );
}

/** The URL of the worker: beside this file, as a source or as the build's entry `script-worker.js`. */
function locateScriptWorker(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./script-worker.ts" : "./script-worker.js", import.meta.url);
}
