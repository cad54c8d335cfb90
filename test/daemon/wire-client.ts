import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "../../src/text/json.ts";
import { type Client, type ClientEvent, openClient } from "../../src/wire/client/client.ts";
import { wireLimits } from "../../src/wire/codec/limits.ts";
import { readSecret } from "../../src/wire/codec/proof-secret.ts";
import { connectPeer, type Peer, payloadOf, proofFor, realWait } from "../../src/wire/server/wire.fixture.ts";
import type { AgentWorld } from "../agent-world.ts";
import type { Ending } from "./daemon-process.ts";

/** Where a daemon can be reached. */
export type Reached = { readonly socketPath: string };

/** A proved client that reconnects by itself, with all that it was told. */
export type Listener = {
  readonly client: Client;
  readonly events: readonly ClientEvent[];
  /** Every message so far, acceptances included, oldest first. */
  readonly messages: readonly JsonObject[];
  /** The first message, of those so far and those to come, that is as wanted. */
  readonly message: (isWanted: (message: JsonObject) => boolean) => Promise<JsonObject>;
  /** Says words in a session, and gives the final message of their turn. */
  readonly say: (session: string, text: string, id?: string) => Promise<JsonObject>;
  /** Sends a request, and gives the words that it came to. */
  readonly request: (action: string, more?: JsonObject, session?: string) => Promise<JsonObject>;
};

type Named = {
  readonly source?: "cli" | "tui" | "emacs";
  readonly workspace?: string | null;
  readonly capabilities?: readonly string[];
};

/** Connects our own client to the daemon of a world, over its socket. */
export function listenTo(
  test: Ending,
  world: Pick<AgentWorld, "state" | "workspace">,
  { socketPath }: Reached,
  { source = "tui", workspace = world.workspace, capabilities = ["stream"] }: Named = {},
): Listener {
  const client = openClient({
    socketPath,
    port: null,
    secret: async () => readSecret(world.state),
    source,
    capabilities,
    workspace,
    wait: realWait,
    newId: randomUUID,
    limits: wireLimits,
  });
  test.after(() => client.close());
  const events: ClientEvent[] = [];
  const messages: JsonObject[] = [];
  const waiting = new Set<(message: JsonObject) => void>();
  client.on((event) => {
    events.push(event);
    if (event.kind !== "message" && event.kind !== "accepted") return;
    messages.push(event.message);
    for (const consider of [...waiting]) consider(event.message);
  });
  const message: Listener["message"] = (isWanted) => {
    const found = messages.find(isWanted);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => {
      const consider = (next: JsonObject): void => {
        if (!isWanted(next)) return;
        waiting.delete(consider);
        resolve(next);
      };
      waiting.add(consider);
    });
  };
  return {
    client,
    events,
    messages,
    message,
    async say(session, text, id = randomUUID()) {
      assert.ok(client.send(wordsIn(session, text, id)).ok);
      const accepted = await message((heard) => isAcceptance(heard, id));
      const turn = metaOf(accepted)["turn-id"];
      return message((heard) => heard["type"] === "response" && metaOf(heard)["turn-id"] === turn);
    },
    async request(action, more = {}, session = "") {
      const id = randomUUID();
      const meta: JsonObject = session === "" ? {} : { meta: { "session-id": session } };
      assert.ok(client.send({ type: "request", id, ...meta, payload: { action, ...more } }).ok);
      return message(
        (heard) => (heard["type"] === "response" && heard["id"] === id) || isAcceptedTurn(heard, id),
      );
    },
  };
}

/** Words for a session, with an id of the client's own. */
export function wordsIn(session: string, text: string, id: string): JsonObject {
  return { type: "event", id, meta: { "session-id": session }, payload: { sensor: "user-input", text } };
}

/** A raw peer that has proved itself, which reads only when it is asked. */
export async function provedPeer(
  test: TestContext,
  world: Pick<AgentWorld, "state">,
  { socketPath }: Reached,
  named: JsonObject = {},
): Promise<Peer> {
  const peer = connectPeer(test, { path: socketPath });
  peer.send(proofFor(await peer.next(), readSecret(world.state), named));
  assert.equal(payloadOf(await peer.next())["action"], "authenticated");
  return peer;
}

/** The final message of a turn that a raw peer is told next, with all before it. */
export async function untilAnswer(peer: Peer): Promise<readonly JsonObject[]> {
  const heard: JsonObject[] = [];
  for (;;) {
    const message = await peer.next();
    heard.push(message);
    if (message["type"] === "response" || message["type"] === "protocol-error") return heard;
  }
}

/**
 * What a daemon tells of its health until it was checked, the checked one last. The check has a low priority, so the processor
 * is left to it between the questions; the first `atOnce` follow each other without a pause.
 */
export async function healthUntilChecked(peer: Peer, atOnce = 1): Promise<readonly JsonObject[]> {
  const told: JsonObject[] = [];
  for (;;) {
    peer.send({ type: "health-check" });
    const health = await peer.next();
    told.push(health);
    if (health["checked-p"] === true) return told;
    if (told.length >= atOnce) await pause(20);
  }
}

/** The meta of a message, empty where it has none. */
export function metaOf({ meta }: JsonObject): JsonObject {
  return isJsonObject(meta) ? meta : {};
}

/** The words of a message. */
export function textOf(message: JsonObject): string {
  return String(payloadOf(message)["text"] ?? "");
}

/** Whether a message says that one with this id is on the daemon's disk. */
export function isAcceptance(message: JsonObject, id: string): boolean {
  const { action, id: accepted } = payloadOf(message);
  return message["type"] === "status" && action === "accepted" && accepted === id;
}

function isAcceptedTurn(message: JsonObject, id: string): boolean {
  return isAcceptance(message, id) && typeof metaOf(message)["turn-id"] === "string";
}

/** Whether a message asks the owner. */
export function isQuestion({ level }: JsonObject): boolean {
  return level === "approval-required";
}

/** The token of a question. */
export function tokenOf(question: JsonObject): string {
  return String(payloadOf(question)["token"] ?? "");
}
