import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Wait } from "../../text/clock.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import { clientCodec } from "../codec/codec.ts";
import { frame, makeFrameReader } from "../codec/frame.ts";
import { wireLimits } from "../codec/limits.ts";
import { makeNonce, proofOf } from "../codec/proof.ts";
import type { Connection } from "./connection.ts";
import { openServer, type ServerParts, type WireServer } from "./server.ts";

/** Makes a folder for the test that only this user can enter. */
export function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-wire-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Real time. */
export const realWait: Wait = (milliseconds, cancel) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (cancel.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, milliseconds);
  cancel.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
};

/** Time that passes only by `pass`. */
export type ManualTime = {
  readonly wait: Wait;
  readonly pass: (milliseconds: number) => Promise<void>;
  /** How many deadlines are running. */
  readonly running: () => number;
};

export function makeManualTime(): ManualTime {
  const waiting = new Set<{ readonly at: number; readonly over: () => void }>();
  const now = { at: 0 };
  return {
    wait: (milliseconds, cancel) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry = { at: now.at + milliseconds, over: resolve };
      waiting.add(entry);
      cancel.addEventListener("abort", () => {
        waiting.delete(entry);
        resolve();
      });
      return promise;
    },
    pass: async (milliseconds) => {
      const end = now.at + milliseconds;
      for (;;) {
        const due = [...waiting].filter(({ at }) => at <= end);
        if (due.length === 0) break;
        now.at = Math.min(...due.map(({ at }) => at));
        for (const entry of due.filter(({ at }) => at <= now.at)) {
          waiting.delete(entry);
          entry.over();
        }
        await runReadyCallbacks();
      }
      now.at = end;
      await runReadyCallbacks();
    },
    running: () => waiting.size,
  };
}

/** Lets all callbacks run that are ready. */
export function runReadyCallbacks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when a condition is true. The test runner's time-out ends a test in which it never is. */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A server with a record of what its handler was told. */
export type TestServer = {
  readonly server: WireServer;
  readonly socketPath: string;
  readonly secret: Uint8Array;
  readonly greeted: readonly Connection[];
  readonly left: readonly string[];
  readonly heard: readonly JsonObject[];
  readonly reported: readonly string[];
};

/** Opens a server in a folder of its own and closes it after the test. By default every message with an id is accepted. */
export async function openTestServer(
  t: TestContext,
  given: Partial<ServerParts> & { readonly message?: ServerParts["handler"]["message"] } = {},
): Promise<TestServer> {
  const greeted: Connection[] = [];
  const left: string[] = [];
  const heard: JsonObject[] = [];
  const reported: string[] = [];
  const secret = given.secret ?? randomBytes(32);
  const socketPath = given.socketPath ?? join(makeFolder(t), "passepartout.sock");
  const opened = await openServer({
    port: null,
    version: "1.2.3",
    capabilities: ["auth", "stream"],
    enforceProof: true,
    health: () => ({ status: "healthy", checked: true }),
    wait: realWait,
    limits: wireLimits,
    report: (text) => reported.push(text),
    handler: {
      hello: (connection) => greeted.push(connection),
      message: (connection, message) => {
        heard.push(message);
        return given.message === undefined
          ? acceptMessage(connection, message)
          : given.message(connection, message);
      },
      closed: ({ id }) => left.push(id),
    },
    ...given,
    secret,
    socketPath,
  });
  assert.ok(opened.ok, opened.ok ? "" : opened.reason);
  t.after(() => opened.server.close());
  return { server: opened.server, socketPath, secret, greeted, left, heard, reported };
}

/** Confirms that a message is on disk. */
export function acceptMessage(connection: Connection, { id }: JsonObject): void {
  if (typeof id === "string") {
    connection.send({ type: "status", payload: { action: "accepted", id } }, "other");
  }
}

/** A peer that sends any bytes, and reads only on request. */
export type Peer = {
  readonly socket: Socket;
  readonly write: (bytes: string | Uint8Array) => void;
  readonly send: (message: JsonObject) => void;
  /** The next message; fails if the connection ends before. */
  readonly next: () => Promise<JsonObject>;
  /** All further messages, once the daemon has closed. */
  readonly rest: () => Promise<readonly JsonObject[]>;
};

export function connectPeer(
  t: TestContext,
  place: { readonly path: string } | { readonly port: number },
): Peer {
  const socket = connect({
    ...place,
    ...("port" in place ? { host: "127.0.0.1" } : {}),
    allowHalfOpen: false,
  });
  t.after(() => socket.destroy());
  const reader = makeFrameReader({ codePoints: 16_777_215 });
  const ready: JsonObject[] = [];
  const chunks: AsyncIterator<Buffer, undefined> = socket.iterator({ destroyOnReturn: false });
  socket.on("error", () => socket.destroy());
  const more = async (): Promise<boolean> => {
    try {
      const { value, done } = await chunks.next();
      if (done === true) return false;
      for (const event of reader.push(value)) {
        assert.equal(event.kind, "frame");
        if (event.kind === "frame") ready.push(decoded(event.text));
      }
      return true;
    } catch (error) {
      assert.ok(socket.destroyed, String(error));
      return false;
    }
  };
  return {
    socket,
    write: (bytes) => socket.write(bytes),
    send: (message) => socket.write(frame(clientCodec.encode(message))),
    next: async () => {
      while (ready.length === 0) assert.ok(await more(), "the connection ended before the next message");
      const message = ready.shift();
      assert.ok(message !== undefined);
      return message;
    },
    rest: async () => {
      while (await more());
      return ready.splice(0);
    },
  };
}

function decoded(text: string): JsonObject {
  const reading = clientCodec.decode(text);
  assert.ok(reading.ok, `${reading.ok ? "" : reading.text} in ${text.slice(0, 200)}`);
  return reading.message;
}

/** The payload of a message; empty if it has none. */
export function payloadOf({ payload }: JsonObject): JsonObject {
  return isJsonObject(payload) ? payload : {};
}

/** A proof for a handshake. */
export function proofFor(
  handshake: JsonObject,
  secret: Uint8Array,
  named: JsonObject = {},
): JsonObject & { readonly payload: JsonObject } {
  const nonce = makeNonce();
  const mac = proofOf(secret, "client", String(payloadOf(handshake)["nonce"]), nonce);
  const payload = { action: "authenticate", nonce, mac, capabilities: ["stream"], ...named };
  return { type: "request", meta: { source: "tui" }, payload };
}

/** Connects a peer that proves itself. */
export async function connectProved(t: TestContext, at: TestServer, named: JsonObject = {}): Promise<Peer> {
  const peer = connectPeer(t, { path: at.socketPath });
  peer.send(proofFor(await peer.next(), at.secret, named));
  assert.equal(payloadOf(await peer.next())["action"], "authenticated");
  return peer;
}

/** A text with an id. */
export function userInputWithId(id: string, text: string): JsonObject {
  return {
    type: "event",
    id,
    meta: { source: "tui", "session-id": "s1" },
    payload: { sensor: "user-input", text },
  };
}

/** The code of a protocol error. */
export function errorOf(message: JsonObject): unknown {
  assert.equal(message["type"], "protocol-error", JSON.stringify(message));
  return payloadOf(message)["code"];
}
