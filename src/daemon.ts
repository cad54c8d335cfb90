import { existsSync, realpathSync } from "node:fs";
import { findSandbox } from "./act/sandbox.ts";
import { checkApart } from "./check-apart.ts";
import type { Daemon, Start } from "./daemon-port.ts";
import { type Ground, layGround } from "./ground.ts";
import { checkHealth, type HealthReport } from "./health.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { LocalDaemon } from "./local-daemon.ts";
import { openState } from "./memory/open-state.ts";
import type { Snapshot } from "./memory/snapshots.ts";
import type { State } from "./memory/state.ts";
import { StateProblem } from "./memory/state-problem.ts";
import { wait } from "./reason/providers/wait.ts";
import { reachDaemon, socketPathOf } from "./remote-daemon.ts";
import { type Replay, replayJournal } from "./replay.ts";
import { serveClients } from "./serve-clients.ts";
import type { Action } from "./signal/action.ts";
import { bottom } from "./signal/label.ts";
import type { Verdict } from "./signal/verdict.ts";
import type { WireError } from "./wire/channel.ts";
import type { WireHealth } from "./wire/connection.ts";
import { wireLimits } from "./wire/limits.ts";
import { readOrMakeSecret } from "./wire/proof-secret.ts";
import { openServer } from "./wire/server.ts";

export { askContext, type ContextAnswer } from "./context-commands.ts";
export type { Daemon, Start } from "./daemon-port.ts";
export { openPassingMemory } from "./memory/session-memory.ts";
export { openNotesReading } from "./notes-reading.ts";

/** Reaches the agent: the daemon of this user where one runs, else the agent in this process, which then serves other commands of this user over its socket. */
export async function openDaemon(start: Start, source: "cli" | "tui" = "cli"): Promise<Daemon> {
  const ground = layGround(start.environment);
  for (let tries = 0; ; tries += 1) {
    const reached = await reachDaemon(start, ground, source);
    if (reached !== null) return reached;
    try {
      return await openServed(start, ground);
    } catch (error) {
      const busy = error instanceof StateProblem && error.code === "locked";
      if (!busy || tries === triesAtLock) throw error;
      await wait(pauseAtLock, new AbortController().signal);
    }
  }
}

/** Whoever holds the state opens its socket within a moment. Milliseconds. */
const pauseAtLock = 100;
const triesAtLock = 20;

async function openServed(start: Start, ground: Ground): Promise<Daemon> {
  const state = await openForWriting(ground);
  const { openLocalDaemon } = await import("./local-daemon.ts");
  const local = await openLocalDaemon({ start, ground, state, folder: start.cwd });
  const health = (): WireHealth => ({ status: local.intact() ? "unknown" : "unhealthy", checked: false });
  const served = await serve({ ground, start, port: null, health, report: local.report });
  if (!served.ok) {
    local.report(`Other commands cannot join: ${served.reason}`);
    return local;
  }
  served.begin(local);
  const leaving = new AbortController();
  const close = async (): Promise<void> => {
    if (served.connected() > 0 && !leaving.signal.aborted) start.warn?.(stillServing);
    while (served.connected() > 0 && !leaving.signal.aborted) await wait(50, leaving.signal);
    await served.close();
    await local[Symbol.asyncDispose]();
  };
  const closing: { done: Promise<void> | null } = { done: null };
  return {
    ...local,
    drain: (milliseconds) => {
      leaving.abort();
      return local.drain(milliseconds);
    },
    [Symbol.asyncDispose]: () => {
      closing.done ??= close();
      return closing.done;
    },
  };
}

const stillServing = "Other commands are still being served. Ctrl-C leaves them.";

/** Takes the state for this process. */
function openForWriting({ config, gates }: Ground): Promise<State> {
  return openState({ folder: config.places.state, clock: Date.now, gates, access: "write" });
}

type Served =
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: true;
      readonly port: number | null;
      readonly connected: () => number;
      /** What clients say waits until this is called. */
      readonly begin: (daemon: LocalDaemon) => void;
      readonly close: (error?: WireError) => Promise<void>;
    };

type Serving = {
  readonly ground: Ground;
  readonly start: Start;
  readonly port: number | null;
  readonly health: () => WireHealth;
  readonly report: (message: string) => void;
};

async function serve({ ground, start, port, health, report }: Serving): Promise<Served> {
  const { config } = ground;
  const service = serveClients();
  const opened = await openServer({
    socketPath: socketPathOf(ground),
    port,
    secret: readOrMakeSecret(config.places.state),
    version: start.version,
    capabilities: ["auth", "stream"],
    enforceProof: config.enforceProof,
    health,
    handler: service.handler,
    wait,
    limits: wireLimits,
    report,
  });
  if (!opened.ok) return { ok: false, reason: opened.reason };
  return {
    ok: true,
    port: opened.server.port,
    connected: service.connected,
    begin: service.begin,
    async close(error) {
      service.stop();
      await opened.server.close(error);
    },
  };
}

/** The standard port of the daemon. */
const standardPort = 9105;

/**
 * The daemon in the foreground: takes the state, listens, says where, loads the rest, and resolves when it is told to leave.
 * Throws where something else has its port or its state, and where the state folder goes away under it.
 */
export async function runDaemon(
  start: Start,
  asked: {
    readonly port: number | null;
    readonly listening: (text: string) => void;
    readonly leave: Promise<void>;
  },
): Promise<void> {
  const ground = layGround(start.environment);
  await using opened = new AsyncDisposableStack();
  const state = opened.use(await openForWriting(ground));
  const checked = { health: "unknown" as WireHealth["status"], done: false, intact: () => true };
  const served = await serve({
    ground,
    start,
    port: asked.port ?? standardPort,
    health: () => ({
      status: checked.intact() ? checked.health : "unhealthy",
      checked: checked.done,
    }),
    report: (message) => start.warn?.(message),
  });
  if (!served.ok) throw new Error(served.reason);
  opened.defer(() => served.close());
  asked.listening(`Listening on ${socketPathOf(ground)} and 127.0.0.1:${served.port ?? standardPort}.`);
  const { openLocalDaemon } = await import("./local-daemon.ts");
  const local = opened.use(await openLocalDaemon({ start, ground, state, folder: null }));
  checked.intact = local.intact;
  served.begin(local);
  local.watchNotes();
  for (const notice of local.notices) asked.listening(notice);
  const heartbeat = startHeartbeat({
    interval: ground.config.heartbeatInterval,
    clock: Date.now,
    beat: local.beat,
    report: local.report,
  });
  const checking = new AbortController();
  opened.defer(() => checking.abort());
  void checkApart(start, checking.signal).then(({ health, checks }) => {
    checked.health = health;
    checked.done = true;
    for (const { name, result, text } of checks) if (result === "bad") asked.listening(`${name}: ${text}`);
  });
  const gone = await Promise.race([asked.leave.then(() => null), local.gone]);
  heartbeat.stop();
  await local.drain(gone === null ? 5000 : 0);
  await served.close(gone === null ? undefined : { code: "state-gone", text: gone });
  if (gone !== null) throw new StateProblem("missing", gone);
}

/** The state of this user, for looking only. */
export type Reading = AsyncDisposable & { readonly state: State; readonly replay: () => Promise<Replay> };

/** Opens the state without its lock, beside whoever has it. */
export async function openReading(start: Start): Promise<Reading> {
  const ground = layGround(start.environment);
  const folder = ground.config.places.state;
  const state = await openState({ folder, clock: Date.now, gates: ground.gates, access: "read" });
  return {
    state,
    replay: () => replayJournal(state.journal, ground.judge, ground.gates),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** Takes a snapshot of memory and gives it: by the daemon where one runs, else on the state itself. */
export async function takeSnapshot(start: Start, note: string): Promise<Snapshot> {
  const ground = layGround(start.environment);
  await using daemon = await reachDaemon(start, ground, "cli");
  if (daemon === null) {
    await using writing = await openForWriting(ground);
    return writing.objects.snapshot(note);
  }
  const id = await daemon.snapshot(note);
  await using reading = await openReading(start);
  const taken = (await reading.state.objects.snapshots()).find((snapshot) => String(snapshot.id) === id);
  if (taken === undefined) throw new Error(`The daemon took snapshot ${id}, which is not in the state.`);
  return taken;
}

/** What the judge says of an action, with nothing run, looked up or kept. */
export type Judging = {
  readonly judge: (
    action: Action,
  ) => Promise<Omit<Verdict, "asks"> & { readonly effects: readonly object[] }>;
};

/** Opens the judge by itself, in a workspace that need not exist; null for none. */
export async function openJudging(start: Start, folder: string | null): Promise<Judging> {
  const ground = layGround(start.environment);
  const { assembleActing } = await import("./assemble.ts");
  const { acting } = assembleActing(ground, {
    origins: { of: async () => null, inside: async () => bottom, keep: async () => undefined },
    keepPreImage: async () => "",
    keepObject: async () => undefined,
    search: async () => [],
    fileOfNode: async () => null,
    tell: () => false,
    sandbox: await findSandbox(),
    clock: Date.now,
    resolve: false,
  });
  const workspace = folder !== null && existsSync(folder) ? realpathSync(folder) : folder;
  return {
    async judge(action) {
      const prepared = await acting.prepare(
        action,
        {
          turn: "judge",
          session: "judge",
          person: "owner",
          source: "cli",
          startedBy: "person",
          workspace,
          known: new Map(),
          promptLabel: bottom,
        },
        [],
      );
      if (!prepared.ok) return { verdict: "block", reason: prepared.message, effects: [], trace: [] };
      const { verdict, reason, trace } = ground.judge(prepared.effects, prepared.facts);
      return { verdict, reason, effects: prepared.effects, trace };
    },
  };
}

/** Checks what the agent stands on; never throws: a check that fails itself is unhealthy. */
export async function diagnose(start: Start): Promise<HealthReport> {
  return checkHealth(start);
}
