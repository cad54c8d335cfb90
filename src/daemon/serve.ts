import { wait } from "../machine/wait.ts";
import { openState } from "../memory/state/open-state.ts";
import type { State } from "../memory/state/state.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { loadPolicy, type Policy } from "../settings/policy.ts";
import { socketPathOf, standardPort } from "../settings/socket-path.ts";
import type { StartContext } from "../settings/start-context.ts";
import type { WireError } from "../wire/channel/channel.ts";
import { wireLimits } from "../wire/codec/limits.ts";
import { readOrMakeSecret } from "../wire/codec/proof-secret.ts";
import type { WireHealth } from "../wire/server/connection.ts";
import { openServer } from "../wire/server/server.ts";
import type { AgentStart, LocalAgent } from "./agent/local-agent.ts";
import type { Agent } from "./agent/resources/agent.ts";
import { type HandOver, watchForHandOver } from "./hand-over.ts";
import { endHandOver, markHandOver, takesOver } from "./handing-over.ts";
import { makeHealthPoll } from "./health-poll.ts";
import type { Heartbeat, HeartbeatParts } from "./heartbeat.ts";
import { noteSocket } from "./note-socket.ts";
import { type OpenDoors, openDoors } from "./open-doors.ts";
import { daemonCapabilities, serveClients } from "./serve-clients.ts";
import { tellServiceManager } from "./tell-service-manager.ts";
import { unlockAtStart } from "./unlock-at-start.ts";

/** An agent of this process that serves; how many clients it has. */
export type ServedAgent = Agent &
  Pick<LocalAgent, "review" | "runsPrograms" | "pauseTurns"> & {
    readonly connected: () => number;
    readonly announce: (text: string | null) => void;
    /** Closes at once, though clients are connected: they come again. */
    readonly closeNow: () => Promise<void>;
  };

/** Opens the agent on this user's state in this process, and serves other commands of this user over its socket until the last has left. */
export async function openServedAgent(start: AgentStart, policy: Policy): Promise<ServedAgent> {
  await unlockAtStart(start, policy.config, { mayAsk: start.isLookup !== true });
  const local = await openOnState(start, policy);
  const health = async (): Promise<WireHealth> => ({
    status: (await local.isStateIntact()) ? "unknown" : "unhealthy",
    checked: false,
  });
  const served = await serve({ policy, start, port: null, health, report: local.report });
  if (!served.ok) {
    local.report(`Other commands cannot connect: ${served.reason}`);
    return {
      ...local,
      connected: () => 0,
      announce: () => {},
      closeNow: async () => local[Symbol.asyncDispose](),
    };
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
    announce: served.announce,
    closeNow() {
      leaving.abort();
      closing.done ??= close();
      return closing.done;
    },
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

/** Opens the agent; the state is closed again where that fails. */
async function openOnState(start: AgentStart, policy: Policy): Promise<LocalAgent> {
  await using opened = new AsyncDisposableStack();
  const state = opened.use(await openStateForWriting(policy));
  // Turns that a former process left go on without an answer of the owner, and may need a key.
  const goesOn = async () => (await state.turns.unfinished()).some((turn) => turn.state !== "suspended");
  if (start.isLookup === true && (await goesOn())) await unlockAtStart(start, policy.config);
  const { openLocalAgent } = await import("./agent/open-local-agent.ts");
  const local = await openLocalAgent({ start, policy, state, folder: start.cwd });
  opened.move();
  return local;
}

const stillServing = "Other commands still use this process. Ctrl-C ends it for them too.";

/** Takes the state for this process. */
export const openStateForWriting = ({ config, gatesHash }: Policy): Promise<State> =>
  openState({ folder: config.places.state, clock: Date.now, gates: gatesHash, access: "write" });

/** Takes the state for a daemon. One that takes over from the build before waits for a command that was quicker. */
async function openStateOrWait(policy: Policy): Promise<State> {
  const { state } = policy.config.places;
  for (;;) {
    if (takesOver(state)) markHandOver(state);
    try {
      return await openStateForWriting(policy);
    } catch (error) {
      const isBusy = error instanceof StateProblem && error.code === "locked";
      if (!(isBusy && takesOver(state))) throw error;
      await wait(pauseAtLock, new AbortController().signal);
    }
  }
}

/** Milliseconds between two tries to take the state. */
const pauseAtLock = 100;

type Served =
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: true;
      readonly port: number | null;
      readonly connected: () => number;
      readonly announce: (text: string | null) => void;
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
  readonly health: () => Promise<WireHealth>;
  readonly report: (message: string) => void;
  /** A client came or left. */
  readonly cameOrLeft?: () => void;
};

async function serve({ policy, start, port, health, report, cameOrLeft }: Serving): Promise<Served> {
  const { config } = policy;
  const service = serveClients(cameOrLeft);
  const opened = await openServer({
    socketPath: socketPathOf(policy),
    port,
    secret: readOrMakeSecret(config.places.state),
    version: start.version,
    capabilities: daemonCapabilities,
    enforceProof: config.enforceProof,
    health,
    handler: service.handler,
    wait,
    limits: wireLimits,
    report,
  });
  noteSocket(policy, opened.ok, report);
  if (!opened.ok) return { ok: false, reason: opened.reason };
  const { server } = opened;
  const told: { last: string | null } = { last: null };
  return {
    ok: true,
    port: server.port,
    connected: service.connected,
    announce: service.announce,
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

/** What a daemon is asked: its port, where it says that it listens, and when it ends. */
type DaemonRequest = {
  readonly port: number | null;
  readonly listening: (text: string) => void;
  readonly leave: Promise<void>;
  /** Takes over the zone that the machine has now. */
  readonly followZone: () => void;
  /** All that a daemon needs is loaded. */
  readonly loaded: () => void;
};

/**
 * The daemon in the foreground: takes the state, listens, says where, loads the rest, and resolves when it is told to leave, or when the installed program is to take
 * over: with the way to it, once all is closed.
 * Throws where something else has its port or its state, and where the state folder goes away under it.
 */
export async function runDaemon(start: AgentStart, asked: DaemonRequest): Promise<HandOver | null> {
  const policy = loadPolicy(start.environment);
  await using opened = new AsyncDisposableStack();
  const state = opened.use(await openStateOrWait(policy));
  const [intact, checking] = [{ state: async () => true }, new AbortController()];
  const update = { look: (): void => {}, goesOn: false };
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
    health: async () => ((await intact.state()) ? poll.health() : { ...poll.health(), status: "unhealthy" }),
    report: (message) => start.warn?.(message),
    cameOrLeft: () => update.look(),
  });
  if (!served.ok) throw new Error(served.reason);
  opened.defer(() => served.close());
  endHandOver(policy.config.places.state);
  asked.listening(`Listening on ${socketPathOf(policy)} and 127.0.0.1:${served.port ?? standardPort}.`);
  const [{ openLocalAgent }, { startHeartbeat }] = await Promise.all([
    import("./agent/open-local-agent.ts"),
    import("./heartbeat.ts"),
  ]);
  await unlockAtStart(start, policy.config);
  const tell = teller(served, asked.listening);
  const parts = { start, policy, state, folder: null, pollHealth: poll.work, tellStart: tell };
  const local = opened.use(await openLocalAgent(parts));
  intact.state = local.isStateIntact;
  served.begin(local);
  const endService = tellServiceManager(start.environment);
  opened.defer(() => endService(update.goesOn));
  await local.startUpkeep();
  asked.loaded();
  const doors = opened.use(openDoors({ agent: local, state, policy, variables: start.environment }));
  await doors.look();
  const handOver = watchForHandOver({ start, policy, agent: local, tell });
  update.look = handOver.look;
  for (const notice of [...local.notices, ...local.recovered]) asked.listening(notice);
  void poll.lookAtStart(checking.signal).then(({ checks }) => {
    for (const { name, result, text } of checks) if (result === "bad") asked.listening(`${name}: ${text}`);
  });
  const interval = policy.config.heartbeatInterval;
  update.goesOn = await beatUntilTold({ asked, local, served, doors, handOver, interval, startHeartbeat });
  return update.goesOn ? handOver : null;
}

type Running = {
  readonly asked: DaemonRequest;
  readonly local: LocalAgent;
  readonly served: Pick<Extract<Served, { ok: true }>, "mendSocket" | "close">;
  readonly doors: OpenDoors;
  readonly handOver: HandOver;
  readonly interval: number;
  readonly startHeartbeat: (parts: HeartbeatParts) => Heartbeat;
};

/** Beats until the daemon is told to leave, or until another build is to take over (true). Then nothing more is taken in. Throws where the state is gone. */
async function beatUntilTold(running: Running): Promise<boolean> {
  const { asked, local, served, doors, handOver } = running;
  const heartbeat = running.startHeartbeat({
    interval: running.interval,
    beat: async () => {
      asked.followZone();
      await served.mendSocket();
      handOver.look();
      await doors.look();
      await local.beat();
    },
    report: local.report,
  });
  const end = await Promise.race([
    asked.leave.then(() => "left" as const),
    handOver.ready.then(() => "handed-over" as const),
    local.stateGone.then((text) => ({ text })),
  ]);
  heartbeat.stop();
  const gone = typeof end === "string" ? null : end.text;
  await doors[Symbol.asyncDispose]();
  await local.drain(gone === null ? 5000 : 0);
  await served.close(gone === null ? undefined : { code: "state-gone", text: gone });
  if (gone !== null) throw new StateProblem("missing", gone);
  return end === "handed-over";
}

/** Tells every client and the log. */
function teller(
  { announce }: Pick<ServedAgent, "announce">,
  listening: (text: string) => void,
): (text: string | null) => void {
  return (text) => {
    if (text !== null) listening(text);
    announce(text);
  };
}
