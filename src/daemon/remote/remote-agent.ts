import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { wait } from "../../reason/providers/wait.ts";
import type { Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { JsonObject } from "../../signal/json.ts";
import type { LoopEvent, LoopListener } from "../../signal/loop-event.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import { type Client, type ClientEvent, type DisconnectCode, openClient } from "../../wire/client/client.ts";
import { wireLimits } from "../../wire/codec/limits.ts";
import { eventOf } from "../../wire/codec/loop-events.ts";
import { readSecret } from "../../wire/codec/proof-secret.ts";
import type { Agent, UndeliveredAnswer } from "../agent/agent.ts";
import {
  commandRequest,
  isDecision,
  metaText,
  replyId,
  type SessionRequest,
  sessionRequest,
  snapshotOf,
  submitResultOf,
  undeliveredAnswerOf,
} from "./remote-messages.ts";
import { makeRemoteTurns } from "./remote-turns.ts";

/** Milliseconds that a command waits for a daemon that went away before it gives up. */
const patience = 10_000;

/** What says that no daemon is there: `lost` is one that leaves at this moment. */
const absent: ReadonlySet<DisconnectCode> = new Set(["unreachable", "no-secret", "lost"]);

/** The socket of this user's agent. */
export function socketPathOf(policy: Policy): string {
  return join(policy.config.places.runtime, "passepartout.sock");
}

/** The agent in another process, reached over its socket; null where none answers and proves itself at once. */
export async function connectToDaemon(
  start: StartContext,
  policy: Policy,
  source: "cli" | "tui",
): Promise<Agent | null> {
  const folder = policy.config.places.state;
  const client = openClient({
    socketPath: socketPathOf(policy),
    port: null,
    secret: async () => readSecret(folder),
    source,
    capabilities: ["stream"],
    workspace: start.cwd,
    wait,
    newId: randomUUID,
    limits: wireLimits,
  });
  const first = await firstWord(client);
  if (first.kind === "ready") return remote(start, client, { version: first.daemon.version, source });
  await client.close();
  if (first.kind === "waiting" && !absent.has(first.code)) {
    throw new Error(`${socketPathOf(policy)}: ${first.reason}`);
  }
  return null;
}

function firstWord(client: Client): Promise<ClientEvent> {
  return new Promise((resolve) => {
    const off = client.on((event) => {
      off();
      resolve(event);
    });
  });
}

/** What is awaited of the daemon, by the id of the message that asked for it. */
type Awaited = {
  readonly heard: (message: JsonObject) => boolean;
  readonly failed: (error: Error) => void;
  /** Asks for it over a new connection: the answer may have been lost with the former one. The same id is the same request. */
  readonly again: () => void;
};

/** What the daemon refuses of this client whenever it connects. */
const lasting: ReadonlySet<string> = new Set(["state-gone", "workspace", "source", "other-protocol"]);

function remote(
  start: StartContext,
  client: Client,
  { version, source }: { readonly version: string; readonly source: "cli" | "tui" },
): Agent {
  const listeners = new Set<LoopListener>();
  const awaited = new Map<string, Awaited>();
  const turns = makeRemoteTurns();
  const earlier = new Map<string, UndeliveredAnswer[]>();
  /** Each with whether only turns of this client are told of it. */
  const sessions = new Map<string, boolean>();
  /** Questions that came before anybody listened. */
  const unheard: LoopEvent[] = [];
  const now = { links: 0, opening: 0, away: null as AbortController | null, closed: false };

  const emit = (event: LoopEvent): void => {
    if (listeners.size === 0 && event.type === "approval-required") unheard.push(event);
    for (const listener of [...listeners]) listener(event);
  };
  const fail = (error: Error): void => {
    for (const { failed } of awaited.values()) failed(error);
    awaited.clear();
    start.warn?.(error.message);
    turns.releaseAll();
  };
  const hear = (message: JsonObject): void => {
    const id = replyId(message);
    const asked = id === null ? undefined : awaited.get(id);
    if (id !== null && asked?.heard(message) === true) awaited.delete(id);
    const event = eventOf(message);
    if (event === null || event.type === "accepted" || !turns.observe(event)) return;
    const kept = now.opening > 0 ? undeliveredAnswerOf(event) : null;
    if (kept !== null) earlier.set(event.session, [...(earlier.get(event.session) ?? []), kept]);
    emit(event);
  };
  const follow = (turn: string): void => {
    client.sendBestEffort({ type: "request", id: randomUUID(), payload: { action: "follow", turn } });
  };
  const lose = (): void => {
    if (now.away !== null || now.closed) return;
    now.away = new AbortController();
    const { signal } = now.away;
    for (const event of turns.withdraw("the daemon went away before the answer was whole")) emit(event);
    void wait(patience, signal).then(() => {
      if (!signal.aborted) fail(new Error(wentAway));
    });
  };
  const joinAgain = (): void => {
    now.links += 1;
    now.away?.abort();
    now.away = null;
    for (const [name, own] of sessions) {
      client.sendBestEffort(sessionRequest(randomUUID(), { name, latest: false, own }));
    }
    for (const { again } of awaited.values()) again();
    for (const turn of turns.awaited()) follow(turn);
  };
  client.on((event) => {
    switch (event.kind) {
      case "message":
      case "accepted":
        hear(event.message);
        return;
      case "refused":
        awaited.get(event.id)?.failed(new Error(event.reason));
        awaited.delete(event.id);
        return;
      case "ready":
        joinAgain();
        return;
      case "waiting":
        lose();
        if (lasting.has(event.error)) fail(new Error(event.reason));
        return;
      case "closed":
        now.away?.abort();
    }
  });

  const ask = <T>(id: string, send: () => boolean, read: (message: JsonObject) => T | null): Promise<T> =>
    new Promise((resolve, reject) => {
      awaited.set(id, {
        again: send,
        heard: (message) => {
          const value = read(message);
          if (value !== null) resolve(value);
          return value !== null;
        },
        failed: reject,
      });
      if (!send()) {
        awaited.delete(id);
        reject(new Error("The daemon cannot be reached at the moment. Try again."));
      }
    });
  /** A turn whose daemon was another when this was sent may have ended unheard since, so it is asked about. */
  const submit = (message: JsonObject, decides: boolean): Promise<SubmitResult> => {
    const id = randomUUID();
    const { links } = now;
    const moment = turns.observedCount();
    const read = (heard: JsonObject): SubmitResult | null => {
      const said = submitResultOf(heard);
      if (said?.kind !== "turn") return said;
      const { turn, session } = said;
      if (decides) turns.markResumed(turn, moment);
      else {
        const event: LoopEvent = { type: "accepted", session, turn, id };
        if (turns.observe(event)) emit(event);
      }
      if (links !== now.links) follow(turn);
      return said;
    };
    return ask(id, () => client.send({ ...message, id }).ok, read);
  };
  const join = async (wanted: SessionRequest): Promise<string> => {
    const id = randomUUID();
    const send = (): boolean => client.sendBestEffort(sessionRequest(id, wanted));
    return ask(id, send, (message) => metaText(message, "session-id"));
  };
  const runCommand: Agent["runCommand"] = (command, session) =>
    submit(commandRequest(command, session), true);

  return {
    notices: [],
    greeting: `Passepartout ${start.version}, with the daemon ${version}. Workspace ${start.cwd}. /help lists the commands, /exit leaves.`,
    /** A command shows what waited, and of the rest only what it asked for: what it would not show goes on waiting. */
    async openSession({ name, latest, own = false }) {
      now.opening += 1;
      try {
        const session = await join({ name, latest, own });
        const aside = own || source === "cli";
        if (aside && !own) await join({ name: session, latest: false, own: aside });
        sessions.set(session, aside);
        return session;
      } finally {
        now.opening -= 1;
      }
    },
    say: (said) =>
      submit(
        {
          type: "event",
          meta: { source: said.source, "session-id": said.session },
          payload: { sensor: "user-input", text: said.text },
        },
        isDecision(said),
      ),
    runCommand,
    findQuestion: async () => null,
    subscribe(listener) {
      listeners.add(listener);
      for (const event of unheard.splice(0)) listener(event);
      return () => listeners.delete(listener);
    },
    whenSettled: turns.settled,
    whenIdle: async () => undefined,
    async stop(session) {
      const payload = { action: "stop", "keep-questions": true };
      const said = await submit({ type: "request", meta: { "session-id": session }, payload }, false);
      return said.kind === "said" && said.code === "stopped";
    },
    drain: async () => undefined,
    takeSnapshot(note) {
      const id = randomUUID();
      const message = { type: "request", id, payload: { action: "snapshot", note } };
      return ask(id, () => client.send(message).ok, snapshotOf);
    },
    markDelivered: async () => undefined,
    undelivered: async (session) => earlier.get(session) ?? [],
    async [Symbol.asyncDispose]() {
      now.closed = true;
      now.away?.abort();
      const unsent = await client.close();
      if (unsent.length > 0)
        start.warn?.(`${unsent.length} messages did not reach the daemon. Say them again.`);
    },
  };
}

const wentAway =
  "The daemon went away. What it accepted goes on when it starts again; ask with --continue then.";
