import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Daemon, Start } from "./daemon-port.ts";
import type { Ground } from "./ground.ts";
import type { Submitted } from "./loop.ts";
import { wait } from "./reason/providers/wait.ts";
import { isJsonObject, type Json, type JsonObject } from "./signal/json.ts";
import type { LoopEvent, LoopListener } from "./signal/loop-event.ts";
import { type Client, type ClientEvent, openClient } from "./wire/client.ts";
import { wireLimits } from "./wire/limits.ts";
import { eventOf } from "./wire/loop-events.ts";
import { readSecret } from "./wire/proof-secret.ts";

/** Milliseconds that a command waits for a daemon that went away before it gives up. */
const patience = 10_000;

/** The socket of this user's agent. */
export function socketPathOf(ground: Ground): string {
  return join(ground.config.places.runtime, "passepartout.sock");
}

/** The agent in another process, reached over its socket; null where none answers and proves itself at once. */
export async function reachDaemon(
  start: Start,
  ground: Ground,
  source: "cli" | "tui",
): Promise<Daemon | null> {
  const folder = ground.config.places.state;
  const client = openClient({
    socketPath: socketPathOf(ground),
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
  if (first.kind === "ready") return remote(start, client, first.daemon.version);
  await client.close();
  if (first.kind === "waiting" && first.code !== "unreachable" && first.code !== "no-secret") {
    throw new Error(`${socketPathOf(ground)}: ${first.reason}`);
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
type Awaited = { readonly heard: (message: JsonObject) => boolean; readonly failed: (error: Error) => void };

function remote(start: Start, client: Client, version: string): Daemon {
  const listeners = new Set<LoopListener>();
  const awaited = new Map<string, Awaited>();
  const decisions = new Set<string>();
  const ended = new Set<string>();
  const settling = new Map<string, (() => void)[]>();
  const earlier = new Map<string, { readonly turn: string; readonly text: string }[]>();
  const sessions = new Set<string>();
  const away = { since: null as AbortController | null, closed: false };

  const emit = (event: LoopEvent): void => {
    for (const listener of [...listeners]) listener(event);
    if (!endsWaiting(event)) return;
    ended.add(event.turn);
    for (const resolve of settling.get(event.turn) ?? []) resolve();
    settling.delete(event.turn);
  };
  const fail = (error: Error): void => {
    for (const { failed } of awaited.values()) failed(error);
    awaited.clear();
    start.warn?.(error.message);
    for (const resolves of settling.values()) for (const resolve of resolves) resolve();
    settling.clear();
  };
  const hear = (message: JsonObject): void => {
    const id = idOf(message);
    const asked = id === null ? undefined : awaited.get(id);
    if (id !== null && asked?.heard(message) === true) awaited.delete(id);
    const event = eventOf(message);
    if (event === null) return;
    if (event.event === "accepted" && decisions.delete(event.id)) return;
    if (event.event === "answered" && opening(awaited)) {
      earlier.set(event.session, [
        ...(earlier.get(event.session) ?? []),
        { turn: event.turn, text: event.text },
      ]);
    }
    emit(event);
  };
  client.on((event) => {
    switch (event.kind) {
      case "message":
        hear(event.message);
        return;
      case "accepted":
        hear(event.message);
        return;
      case "refused":
        awaited.get(event.id)?.failed(new Error(event.reason));
        awaited.delete(event.id);
        return;
      case "ready":
        away.since?.abort();
        away.since = null;
        for (const session of sessions)
          client.sendOnce(sessionRequest(randomUUID(), { name: session, latest: false }));
        return;
      case "waiting": {
        if (away.since !== null || away.closed) return;
        away.since = new AbortController();
        const { signal } = away.since;
        void wait(patience, signal).then(() => {
          if (!signal.aborted)
            fail(
              new Error(
                "The daemon went away. What it accepted goes on when it starts again; ask with --continue then.",
              ),
            );
        });
        return;
      }
      case "closed":
        away.since?.abort();
    }
  });

  const ask = <T>(id: string, send: () => boolean, read: (message: JsonObject) => T | null): Promise<T> =>
    new Promise((resolve, reject) => {
      awaited.set(id, {
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
  const submit = (message: JsonObject): Promise<Submitted> => {
    const id = randomUUID();
    if (isDecision(message)) decisions.add(id);
    return ask(id, () => client.send({ ...message, id }).ok, submittedOf);
  };

  return {
    notices: [],
    greeting: `Passepartout ${start.version}, with the daemon ${version}. Workspace ${start.cwd}. /help lists the commands, /exit leaves.`,
    async openSession({ name, latest }) {
      const id = randomUUID();
      const session = await ask(
        id,
        () => client.sendOnce(sessionRequest(id, { name, latest })),
        (message) => metaOf(message, "session-id"),
      );
      sessions.add(session);
      return session;
    },
    say: ({ session, text, source }) =>
      submit({
        type: "event",
        meta: { source, "session-id": session },
        payload: { sensor: "user-input", text },
      }),
    obey: (command, session) =>
      submit({
        type: "request",
        ...(session === "" ? {} : { meta: { "session-id": session } }),
        payload:
          "token" in command
            ? { action: command.kind, token: command.token }
            : { action: command.kind, ...("id" in command && command.id !== null ? { id: command.id } : {}) },
      }),
    waiting: async () => null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: (turn) =>
      ended.has(turn)
        ? Promise.resolve()
        : new Promise((resolve) => settling.set(turn, [...(settling.get(turn) ?? []), resolve])),
    idle: async () => undefined,
    async stop(session) {
      const said = await submit({
        type: "request",
        meta: { "session-id": session },
        payload: { action: "stop" },
      });
      return said.kind === "said" && said.text === "Stopped.";
    },
    drain: async () => undefined,
    delivered: async () => undefined,
    undelivered: async (session) => earlier.get(session) ?? [],
    async [Symbol.asyncDispose]() {
      away.closed = true;
      away.since?.abort();
      const unsent = await client.close();
      if (unsent.length > 0)
        start.warn?.(`${unsent.length} messages did not reach the daemon. Say them again.`);
    },
  };
}

/** Whether a message is the owner's word on a turn that was accepted long ago. */
function isDecision({ type, payload }: JsonObject): boolean {
  const text = isJsonObject(payload) ? payload["text"] : undefined;
  return type === "request" || (typeof text === "string" && /^\s*\/approve\s/i.test(text));
}

function opening(awaited: ReadonlyMap<string, Awaited>): boolean {
  return awaited.size > 0;
}

function sessionRequest(
  id: string,
  { name, latest }: { readonly name: string | null; readonly latest: boolean },
): JsonObject {
  return {
    type: "request",
    id,
    payload: { action: "session", ...(name === null ? {} : { name }), ...(latest ? { latest } : {}) },
  };
}

/** The id of the message that this one answers. */
function idOf({ type, id, payload }: JsonObject): string | null {
  if (type === "response") return typeof id === "string" ? id : null;
  return type === "status" && isJsonObject(payload) && typeof payload["id"] === "string"
    ? payload["id"]
    : null;
}

function metaOf({ meta }: JsonObject, key: string): string | null {
  const value: Json | undefined = isJsonObject(meta) ? meta[key] : undefined;
  return typeof value === "string" ? value : null;
}

/** Null for an acceptance without a turn: the words that the command came to follow it. */
function submittedOf(message: JsonObject): Submitted | null {
  const { type, payload } = message;
  if (type === "status") {
    const turn = metaOf(message, "turn-id");
    return turn === null
      ? null
      : { kind: "turn", turn, session: metaOf(message, "session-id") ?? "", fresh: true };
  }
  if (!isJsonObject(payload)) return null;
  const text = typeof payload["text"] === "string" ? payload["text"] : "";
  const code = typeof payload["code"] === "string" ? payload["code"] : "refused";
  return payload["outcome"] === "refused" ? { kind: "refused", code, text } : { kind: "said", text };
}

function endsWaiting(event: LoopEvent): boolean {
  return ["answered", "blocked", "failed", "stopped", "approval-required"].includes(event.event);
}
