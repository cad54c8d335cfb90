import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { openState } from "../memory/state/open-state.ts";
import type { State } from "../memory/state/state.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { wait } from "../reason/providers/wait.ts";
import { loadPolicy, type Policy } from "../settings/policy.ts";
import { socketPathOf, standardPort } from "../settings/socket-path.ts";
import type { StartContext } from "../settings/start-context.ts";
import type { WireError } from "../wire/channel/channel.ts";
import { wireLimits } from "../wire/codec/limits.ts";
import { readOrMakeSecret } from "../wire/codec/proof-secret.ts";
import { terminalSizeCapability } from "../wire/codec/terminal-sizes.ts";
import type { WireHealth } from "../wire/server/connection.ts";
import { openServer } from "../wire/server/server.ts";
import type { LocalAgent } from "./agent/local-agent.ts";
import type { Agent } from "./agent/resources/agent.ts";
import { makeHealthPoll } from "./health-poll.ts";
import { serveClients } from "./serve-clients.ts";
import { tellServiceManager } from "./tell-service-manager.ts";
import { unlockAtStart } from "./unlock-at-start.ts";

/** An agent of this process that serves; how many clients it has. */
export type ServedAgent = Agent & Pick<LocalAgent, "review"> & { readonly connected: () => number };

/** Opens the agent on this user's state in this process, and serves other commands of this user over its socket until the last has left. */
export async function openServedAgent(start: StartContext, policy: Policy): Promise<ServedAgent> {
  await unlockAtStart(start, policy.config, { mayAsk: start.isLookup !== true });
  const state = await openStateForWriting(policy);
  if (start.isLookup === true && (await hasTurnsToResume(state))) await unlockAtStart(start, policy.config);
  const { openLocalAgent } = await import("./agent/open-local-agent.ts");
  const local = await openLocalAgent({ start, policy, state, folder: start.cwd });
  const health = (): WireHealth => ({
    status: local.isStateIntact() ? "unknown" : "unhealthy",
    checked: false,
  });
  const served = await serve({ policy, start, port: null, health, report: local.report });
  if (!served.ok) {
    local.report(`Other commands cannot connect: ${served.reason}`);
    return { ...local, connected: () => 0 };
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
    connected: served.connected,
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

/** Whether a former process left turns that go on without an answer of the owner. */
async function hasTurnsToResume(state: State): Promise<boolean> {
  return (await state.turns.unfinished()).some((turn) => turn.state !== "suspended");
}

const stillServing = "Other commands still use this process. Ctrl-C ends it for them too.";

/** Takes the state for this process. */
export function openStateForWriting({ config, gatesHash }: Policy): Promise<State> {
  return openState({ folder: config.places.state, clock: Date.now, gates: gatesHash, access: "write" });
}

type Served =
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: true;
      readonly port: number | null;
      readonly connected: () => number;
      /** Begins to handle messages of clients; those that came before wait until then. */
      readonly begin: (agent: LocalAgent) => void;
      /** Listens again where the socket was removed; tells each change once. */
      readonly mendSocket: () => Promise<void>;
      readonly close: (error?: WireError) => Promise<void>;
    };

type Serving = {
  readonly policy: Policy;
  readonly start: StartContext;
  readonly port: number | null;
  readonly health: () => WireHealth;
  readonly report: (message: string) => void;
};

async function serve({ policy, start, port, health, report }: Serving): Promise<Served> {
  const { config } = policy;
  const service = serveClients();
  const opened = await openServer({
    socketPath: socketPathOf(policy),
    port,
    secret: readOrMakeSecret(config.places.state),
    version: start.version,
    capabilities: ["auth", "hidden-prompt", "output", "stream", terminalSizeCapability],
    enforceProof: config.enforceProof,
    health,
    handler: service.handler,
    wait,
    limits: wireLimits,
    report,
  });
  if (!opened.ok) return { ok: false, reason: opened.reason };
  const { server } = opened;
  const told: { last: string | null } = { last: null };
  return {
    ok: true,
    port: server.port,
    connected: service.connected,
    begin: service.begin,
    async mendSocket() {
      const text = await server.mendSocket();
      if (text !== null && text !== told.last) report(text);
      told.last = text;
    },
    async close(error) {
      service.stop();
      await server.close(error);
    },
  };
}

/** A daemon stays for weeks: once all is loaded, a little speed is given for memory. What was compiled until now is kept for the next start as it is. */
function favourMemory(): void {
  flushCompileCache();
  setFlagsFromString("--optimize-for-size");
}

/** What a daemon is asked: its port, where it says that it listens, and when it ends. */
type DaemonRequest = {
  readonly port: number | null;
  readonly listening: (text: string) => void;
  readonly leave: Promise<void>;
  /** Takes over the zone that the machine has now. */
  readonly followZone: () => void;
};

/**
 * The daemon in the foreground: takes the state, listens, says where, loads the rest, and resolves when it is told to leave.
 * Throws where something else has its port or its state, and where the state folder goes away under it.
 */
export async function runDaemon(start: StartContext, asked: DaemonRequest): Promise<void> {
  const policy = loadPolicy(start.environment);
  await using opened = new AsyncDisposableStack();
  const state = opened.use(await openStateForWriting(policy));
  const [intact, checking] = [{ state: () => true }, new AbortController()];
  opened.defer(() => checking.abort());
  const poll = makeHealthPoll({
    clock: Date.now,
    check: async () =>
      (await import("../health/check-in-child-process.ts")).checkHealthInChildProcess(start, checking.signal),
  });
  const served = await serve({
    policy,
    start,
    port: asked.port ?? standardPort,
    health: () => (intact.state() ? poll.health() : { ...poll.health(), status: "unhealthy" }),
    report: (message) => start.warn?.(message),
  });
  if (!served.ok) throw new Error(served.reason);
  opened.defer(() => served.close());
  asked.listening(`Listening on ${socketPathOf(policy)} and 127.0.0.1:${served.port ?? standardPort}.`);
  const [{ openLocalAgent }, { startHeartbeat }] = await Promise.all([
    import("./agent/open-local-agent.ts"),
    import("./heartbeat.ts"),
  ]);
  await unlockAtStart(start, policy.config);
  const local = opened.use(
    await openLocalAgent({ start, policy, state, folder: null, pollHealth: poll.work }),
  );
  intact.state = local.isStateIntact;
  served.begin(local);
  opened.defer(tellServiceManager(start.environment));
  await local.startUpkeep();
  favourMemory();
  for (const notice of [...local.notices, ...local.recovered]) asked.listening(notice);
  const heartbeat = startHeartbeat({
    interval: policy.config.heartbeatInterval,
    clock: Date.now,
    beat: async () => {
      asked.followZone();
      await served.mendSocket();
      await local.beat();
    },
    report: local.report,
  });
  void poll.look().then(({ checks }) => {
    for (const { name, result, text } of checks) if (result === "bad") asked.listening(`${name}: ${text}`);
  });
  const gone = await Promise.race([asked.leave.then(() => null), local.stateGone]);
  heartbeat.stop();
  await local.drain(gone === null ? 5000 : 0);
  await served.close(gone === null ? undefined : { code: "state-gone", text: gone });
  if (gone !== null) throw new StateProblem("missing", gone);
}
