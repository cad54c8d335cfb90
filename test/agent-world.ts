import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Agent } from "../src/daemon/agent/resources/agent.ts";
import { openAgent } from "../src/daemon/open-agent.ts";
import type { JournalEntry } from "../src/signal/journal-entry.ts";
import type { LoopEvent } from "../src/signal/loop-event.ts";
import type { Source } from "../src/signal/signal.ts";
import { compileCache } from "./compile-cache.ts";
import { readJournalFile } from "./journal-entries.ts";
import { type LoopbackProvider, type Step, startLoopbackProvider } from "./loopback-provider.ts";
import { removeFolder } from "./remove-folder.ts";
import { type Finished, runCommandHere } from "./run-command.ts";
import { sharedStart } from "./shared-start.ts";

/** The key of the loopback provider: it must be found nowhere but in its requests' own header. */
export const providerKey = "loopback-key-c0ffee-4711";

/** An explanation that is long enough. */
export const explanation = "The owner asked for exactly this";

/** The build: what users run, and a start takes half the time of the sources. `scripts/node` has brought it up to date. */
const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** What a command is run with. */
export type Running = {
  readonly input?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Closes standard output after so many characters, as `head` does. */
  readonly reads?: number;
  /** Called with all of standard output so far, as it comes. */
  readonly onOutput?: (out: string, err: string) => void;
  /** Called with the process once it runs, to send it signals. */
  readonly begun?: (process: {
    readonly pid: number;
    readonly signal: (name: "SIGINT" | "SIGTERM" | "SIGKILL") => void;
  }) => void;
};

/** One agent with a home, a workspace and a provider of its own; nothing of it outlives its test. */
export type AgentWorld = {
  readonly home: string;
  readonly workspace: string;
  readonly state: string;
  readonly configuration: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly provider: LoopbackProvider;
  /** Opens the agent in this process. `settings` are added to the environment, `cwd` replaces the workspace. */
  readonly open: (
    settings?: Readonly<Record<string, string>>,
    options?: { readonly cwd?: string; readonly warn?: (message: string) => void },
  ) => Promise<Agent>;
  /** Runs the command line in a process of its own, for tests of what a process adds: its start, end, signals and streams. */
  readonly run: (args: readonly string[], running?: Running) => Promise<Finished>;
  /** Runs the command line in this process, which takes a tenth of a new one, for tests of what a command does. */
  readonly command: (
    args: readonly string[],
    running?: Pick<Running, "input" | "settings" | "cwd" | "onOutput">,
  ) => Promise<Finished>;
  readonly path: (name: string) => string;
  /** Ends something of its test, before its folder goes. */
  readonly atEnd: (end: () => unknown) => void;
};

/** Makes a world, for a test or for a file, whose one provider, on loopback, answers by a script. A setting that is undefined takes its variable out. */
export async function makeWorld(
  test: { readonly after: (end: () => unknown) => void },
  steps: readonly Step[] = [],
  settings: Readonly<Record<string, string | undefined>> = {},
): Promise<AgentWorld> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "agent-world-")));
  const workspace = join(home, "work");
  mkdirSync(workspace);
  const provider = await startLoopbackProvider(steps);
  const ends: (() => unknown)[] = [];
  test.after(async () => {
    await provider.close();
    await Promise.all(ends.map((end) => end()));
    removeFolder(home);
  });
  const environment = withoutUndefined({
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    NODE_COMPILE_CACHE: compileCache,
    PROVIDER_CASCADE: "loop",
    LOOP_BASE_URL: `${provider.url}/v1`,
    LOOP_API_KEY: providerKey,
    // Most worlds are about questions, and commands are their examples. What trials do has worlds of its own.
    TRIALS: "false",
    ...settings,
  });
  return {
    home,
    workspace,
    state: join(home, ".local/state/passepartout"),
    configuration: join(home, ".config/passepartout"),
    environment,
    provider,
    open: (more = {}, { cwd = workspace, warn } = {}) =>
      openAgent({
        environment: { ...environment, ...more },
        cwd,
        version: "0.0.0-test",
        ...sharedStart,
        ...(warn === undefined ? {} : { warn }),
      }),
    run: (args, running = {}) =>
      runMain(args, { cwd: workspace, ...running }, { ...environment, ...running.settings }),
    command: (args, { input = "", settings: more = {}, cwd = workspace, onOutput } = {}) =>
      runCommandHere(args, { input, cwd, onOutput, environment: { ...environment, ...more } }),
    path: (name) => join(workspace, name),
    atEnd: (end) => void ends.push(end),
  };
}

function withoutUndefined(
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function runMain(
  args: readonly string[],
  { input, cwd, reads, begun, onOutput }: Running,
  environment: Readonly<Record<string, string>>,
): Promise<Finished> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    env: environment,
    cwd,
    stdio: "pipe",
  });
  child.stdin.on("error", () => child.stdin.destroy());
  child.stdin.end(input ?? "");
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    out += piece;
    onOutput?.(out, err);
    if (reads !== undefined && out.length >= reads) child.stdout.destroy();
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    err += piece;
    onOutput?.(out, err);
  });
  if (child.pid !== undefined) begun?.({ pid: child.pid, signal: (name) => child.kill(name) });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
  });
}

/** What became of something that was said: `end` is the last event's name, or `said` or `refused` where it was no turn. */
export type Exchange = {
  readonly end: string;
  readonly text: string;
  readonly code: string;
  readonly turn: string;
  readonly events: readonly LoopEvent[];
};

/** One session of an agent in this process, with all that its clients were told. */
export type Talk = {
  readonly session: string;
  readonly events: readonly LoopEvent[];
  /** Says something and waits until its turn is final or suspended. */
  readonly say: (text: string) => Promise<Exchange>;
  /** The token that was shown last. */
  readonly token: () => string;
};

/** Opens a session and listens to it. */
export async function talkTo(
  daemon: Agent,
  name: string | null = null,
  source: Source = "cli",
): Promise<Talk> {
  const session = await daemon.openSession({ name, latest: false, source });
  const events: LoopEvent[] = [];
  daemon.subscribe((event) => {
    if (event.session === session) events.push(event);
  });
  return {
    session,
    events,
    async say(text) {
      const from = events.length;
      const said = await daemon.say({ session, text, source });
      if (said.kind !== "turn") {
        const code = said.kind === "refused" ? said.code : "";
        return { end: said.kind, text: said.text, code, turn: "", events: events.slice(from) };
      }
      await daemon.whenSettled(said.turn);
      const own = events.slice(from).filter((event) => event.turn === said.turn);
      return { ...endOf(own), turn: said.turn, events: own };
    },
    token: () => named(events, "approval-required").at(-1)?.token ?? "",
  };
}

function endOf(events: readonly LoopEvent[]): Pick<Exchange, "end" | "text" | "code"> {
  const last = events.at(-1);
  if (last === undefined) return { end: "", text: "", code: "" };
  switch (last.type) {
    case "answered":
      return { end: last.type, text: last.text, code: "" };
    case "blocked":
    case "failed":
    case "stopped":
      return { end: last.type, text: last.reason, code: last.code };
    case "approval-required":
      return { end: last.type, text: last.reason, code: "" };
    case "accepted":
    case "thinking":
    case "thought":
    case "text":
    case "proposed":
    case "verdict":
    case "output":
    case "outcome":
      return { end: last.type, text: "", code: "" };
  }
}

/** The events of one name. */
export function named<Name extends LoopEvent["type"]>(
  events: readonly LoopEvent[],
  name: Name,
): readonly (LoopEvent & { readonly type: Name })[] {
  return events.filter((event): event is LoopEvent & { readonly type: Name } => event.type === name);
}

/** A step of the provider that calls tools, each with an explanation. */
export function calls(...wanted: readonly (readonly [name: string, args: object])[]): Step {
  return {
    calls: wanted.map(([name, args], index) => ({
      id: `call-${index + 1}`,
      name,
      arguments: { explanation, ...args },
    })),
  };
}

/** Whether a program that a test needs is missing; then the test is skipped, and fails in CI. */
export function isMissing(test: TestContext, program: string, install: string): boolean {
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
  if (found) return false;
  const message = `needs ${program}: install the package ${install}`;
  if (process.env["CI"] === "true") throw new Error(message);
  test.skip(message);
  return true;
}

/** Every line of a world's journal. */
export function journalOf(world: AgentWorld): readonly JournalEntry[] {
  return readJournalFile(join(world.state, "journal.jsonl"));
}

/** Runs SQL on a world's database beside the agent, to look, or to make a later write of it fail as a disk would. */
export function onDatabase(world: AgentWorld, sql: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(world.state, "state.db"), { timeout: 5000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** What the provider was sent in its nth request, from 0. */
export function sent(world: AgentWorld, request: number): string {
  return world.provider.requests[request]?.body ?? "";
}

/** The files of a folder and below whose bytes hold a text. What a running agent removes meanwhile is passed over. */
export function filesWith(folder: string, text: string): readonly string[] {
  return orWhereGone(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesWith(path, text);
    return entry.isFile() && orWhereGone(() => readFileSync(path).includes(text), false) ? [path] : [];
  });
}

/** Reads what may go meanwhile. What is closed is tried for two seconds: the kernel makes a closed folder where an overlay begins, and the agent opens it. */
function orWhereGone<T>(read: () => T, otherwise: T, tries = 200): T {
  try {
    return read();
  } catch (fault) {
    const code = fault instanceof Error && "code" in fault ? fault.code : undefined;
    if (code === "ENOENT") return otherwise;
    if (code !== "EACCES" || tries === 0) throw fault;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    return orWhereGone(read, otherwise, tries - 1);
  }
}
