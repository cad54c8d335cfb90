import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { wireLimits } from "../codec/limits.ts";
import { checkProof } from "../codec/proof.ts";
import {
  acceptMessage,
  connectPeer,
  connectProved,
  errorOf,
  openTestServer,
  payloadOf,
  proofFor,
  userInputWithId,
  waitUntil,
} from "./wire.fixture.ts";

const health: JsonObject = { type: "health-check" };

test("a client is greeted, and gets nothing more before its first message, even if something waits for it", async (t) => {
  const at = await openTestServer(t, { enforceProof: false });
  const peer = connectPeer(t, { path: at.socketPath });
  const { type, payload } = await peer.next();
  assert.equal(type, "event");
  assert.partialDeepStrictEqual(payload, {
    action: "handshake",
    version: "1.2.3",
    protocol: 1,
    capabilities: ["auth", "stream"],
  });
  peer.send(health);
  assert.deepEqual(await peer.next(), { type: "health-response", status: "healthy", "checked-p": true });
  assert.deepEqual(at.greeted, []);
});

test("a client that proves itself gets the daemon's proof and is known by the identity that it named", async (t) => {
  const at = await openTestServer(t);
  const peer = connectPeer(t, { path: at.socketPath });
  const handshake = await peer.next();
  const proof = proofFor(handshake, at.secret, { workspace: "/usr" });
  peer.send(proof);
  const { mac } = payloadOf(await peer.next());
  const serverNonce = String(payloadOf(handshake)["nonce"]);
  const clientNonce = String(proof.payload["nonce"]);
  const { secret } = at;
  assert.ok(checkProof({ secret, who: "server", serverNonce, clientNonce, mac: String(mac) }));
  assert.partialDeepStrictEqual(at.greeted[0], {
    proved: true,
    source: "tui",
    capabilities: ["stream"],
    workspace: "/usr",
  });
  peer.send(userInputWithId("w1", "hello"));
  assert.deepEqual(await peer.next(), { type: "status", payload: { action: "accepted", id: "w1" } });
  assert.equal(payloadOf(at.heard[0] ?? {})["text"], "hello");
});

test("a message sent in `hello` arrives after the proof", async (t) => {
  const at = await openTestServer(t, {
    handler: {
      hello: (connection) => acceptMessage(connection, { id: "kept" }),
      message: () => {},
      closed: () => {},
    },
  });
  const peer = await connectProved(t, at);
  assert.equal(payloadOf(await peer.next())["id"], "kept");
});

test("health is answered before the proof, and while all messages are still being handled", async (t) => {
  const stuck = Promise.withResolvers<void>();
  const state = { checked: false };
  const at = await openTestServer(t, {
    message: () => stuck.promise,
    health: () => ({ status: "degraded", checked: state.checked }),
  });
  const peer = await connectProved(t, at);
  peer.send(userInputWithId("w", "think long"));
  await waitUntil(() => at.heard.length === 1);
  peer.send(health);
  assert.deepEqual(await peer.next(), { type: "health-response", status: "degraded", "checked-p": false });
  state.checked = true;
  const other = connectPeer(t, { path: at.socketPath });
  await other.next();
  other.send(health);
  assert.deepEqual(await other.next(), { type: "health-response", status: "degraded", "checked-p": true });
  stuck.resolve();
});

test("200 clients prove themselves at the same time and are answered", async (t) => {
  const at = await openTestServer(t);
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const peer = await connectProved(t, at);
      peer.send(userInputWithId(`w${index}`, "hi"));
      assert.equal(payloadOf(await peer.next())["id"], `w${index}`);
    }),
  );
  assert.equal(at.server.connections(), 200);
  assert.equal(new Set(at.greeted.map(({ id }) => id)).size, 200);
});

test("a client above the limit is refused with a reason", async (t) => {
  const at = await openTestServer(t, { limits: { ...wireLimits, socketConnections: 2 } });
  const peers = [await connectProved(t, at), await connectProved(t, at)];
  const third = connectPeer(t, { path: at.socketPath });
  assert.deepEqual((await third.rest()).slice(1).map(errorOf), ["too-many-connections"]);
  peers[0]?.socket.destroy();
  await waitUntil(() => at.server.connections() === 1);
  await connectProved(t, at);
});

test("connections to the port do not count against the limit of the socket", async (t) => {
  const at = await openTestServer(t, {
    port: 0,
    limits: { ...wireLimits, socketConnections: 2, portConnections: 3 },
  });
  const port = at.server.port ?? 0;
  const flood = Array.from({ length: 8 }, () => connectPeer(t, { port }));
  const greetings = await Promise.all(flood.map((peer) => peer.next()));
  assert.equal(greetings.length, 8);
  await waitUntil(() => at.server.connections() === 3);
  await connectProved(t, at);
  await connectProved(t, at);
  const third = connectPeer(t, { path: at.socketPath });
  assert.deepEqual((await third.rest()).slice(1).map(errorOf), ["too-many-connections"]);
  await waitUntil(() => at.server.connections() === 5);
});

test("closing sends what is queued, disconnects all clients, and accepts no new client", async (t) => {
  const at = await openTestServer(t);
  const peer = await connectProved(t, at);
  at.greeted[0]?.send(
    { type: "response", payload: { action: "message", text: "bye".repeat(100_000) } },
    "other",
  );
  const closed = at.server.close();
  const [last] = await peer.rest();
  assert.equal(String(payloadOf(last ?? {})["text"]).length, 300_000);
  await closed;
  await at.server.close();
  assert.equal(at.server.connections(), 0);
  assert.deepEqual(at.left, [at.greeted[0]?.id]);
  await assert.rejects(connectProved(t, { ...at, secret: randomBytes(32) }));
});
