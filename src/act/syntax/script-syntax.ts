import { type ChildProcess, fork } from "node:child_process";
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

/** A process that parses, and is ready. */
type Parsing = { readonly child: ChildProcess; readonly over: Promise<undefined> };

/**
 * Parses texts as TypeScript or JavaScript, in one process for all that are given to it. The process is ended
 * where a text takes too long, too much memory or nests too deeply: then the texts beside it are unknown, and
 * the next ones get another process. A thread that meets its limit may end the process around it.
 */
export class ScriptParser {
  #parsing: Promise<Parsing> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** What each text is; with `markup`, JSX is part of the language. */
  async parse(texts: readonly string[], markup: boolean): Promise<readonly ParsedScript[]> {
    const before = this.#last;
    const told = before.then(async () => await this.#ask([markup, ...texts]));
    this.#last = told;
    return (await told) ?? texts.map(() => ({ kind: "unknown" }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#end();
  }

  /** What the process says; null, and the end of it, where it says nothing in time. */
  async #ask(given: readonly (string | boolean)[]): Promise<readonly ParsedScript[] | null> {
    this.#parsing ??= startParsing();
    const { child, over } = await this.#parsing;
    const { promise: answered, resolve } = Promise.withResolvers<readonly ParsedScript[] | undefined>();
    child.once("message", (message: unknown) => resolve(parsedSchema.safeParse(message).data));
    // One that ended before it was given them says so by its end.
    child.send([...given], () => undefined);
    const told = await within(limits.milliseconds, answered, over);
    if (told === undefined) await this.#end();
    return told ?? null;
  }

  async #end(): Promise<void> {
    const parsing = this.#parsing;
    this.#parsing = null;
    (await parsing)?.child.kill("SIGKILL");
  }
}

async function startParsing(): Promise<Parsing> {
  const child = fork(buildEntry("script-worker"), [], {
    execArgv: options,
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const { promise: ready, resolve: begin } = Promise.withResolvers<undefined>();
  // A process that does not start, or ends early, leaves what it was given unknown.
  child.once("error", () => resolve(undefined));
  child.once("close", () => resolve(undefined));
  child.once("message", () => begin(undefined));
  await within(limits.startMilliseconds, ready, over);
  return { child, over };
}

/** What comes first of some promises; undefined where none comes in so many milliseconds. */
async function within<T>(milliseconds: number, ...awaited: readonly Promise<T>[]): Promise<T | undefined> {
  const limit = new AbortController();
  const late = pause(milliseconds, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    return await Promise.race([...awaited, late]);
  } finally {
    limit.abort();
  }
}

/** Parses texts in a process of their own. */
export async function parseScripts(
  texts: readonly string[],
  markup: boolean,
): Promise<readonly ParsedScript[]> {
  await using parser = new ScriptParser();
  return await parser.parse(texts, markup);
}

/** What is wrong with each text, in words without any of its contents; null for a text that can be parsed, `unknown` where the parser gave up. */
export async function scriptProblems(
  texts: readonly string[],
  { markup, parser }: { readonly markup: boolean; readonly parser: ScriptParser | null },
): Promise<readonly (string | null)[]> {
  const told = await (parser === null ? parseScripts(texts, markup) : parser.parse(texts, markup));
  return told.map((parsed) =>
    parsed.kind === "script"
      ? null
      : parsed.kind === "unknown"
        ? "unknown"
        : `it is no TypeScript at line ${parsed.line}, column ${parsed.column}`,
  );
}
