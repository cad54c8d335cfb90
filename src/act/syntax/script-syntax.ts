import { fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { buildEntry } from "../../signal/build-entry.ts";
import type { ParsedScript } from "./script-parser.ts";

/** What parsing scripts may take: milliseconds once the process runs, and until it does. */
const limits = { milliseconds: 10_000, startMilliseconds: 60_000 };
/** Megabytes of its memory, and kilobytes of its stack, of which the system gives 8 MB. */
const options = ["--max-old-space-size=256", "--stack-size=3900", "--disable-warning=ExperimentalWarning"];

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
 * Parses texts as TypeScript or JavaScript; with `markup`, JSX is part of it. It runs in a process of its
 * own, which is ended where a text takes too long, too much memory or nests too deeply: then all of them
 * are unknown. A thread that meets its limit may end the process around it.
 */
export async function parseScripts(
  texts: readonly string[],
  markup: boolean,
): Promise<readonly ParsedScript[]> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const { promise: online, resolve: begin } = Promise.withResolvers<void>();
  let told: readonly ParsedScript[] = texts.map(() => ({ kind: "unknown" }));
  const child = fork(buildEntry("script-worker"), [], {
    execArgv: options,
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("message", (message: unknown) => {
    if (message === "ready") begin();
    else told = parsedSchema.parse(message);
  });
  // A process that does not start, or ends early, leaves what it was given unknown.
  child.once("error", () => resolve());
  child.once("close", () => resolve());
  // One that ended before it was given them says so above.
  child.send([markup, ...texts], () => undefined);
  const limit = new AbortController();
  const late = (milliseconds: number): Promise<void> =>
    pause(milliseconds, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    await Promise.race([over, online, late(limits.startMilliseconds)]);
    await Promise.race([over, late(limits.milliseconds)]);
  } finally {
    limit.abort();
    child.kill("SIGKILL");
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
