import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../signal/json.ts";
import { clientCodec } from "../codec/codec.ts";
import { frame } from "../codec/frame.ts";
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
  runReadyCallbacks,
  until,
  userInputWithId,
} from "./wire.fixture.ts";

const health: JsonObject = { type: "health-check" };

test("a client is greeted, and hears nothing more before it speaks, though something waits for it", async (t) => {
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

test("a client that proves itself gets the daemon's proof and is known by what it named", async (t) => {
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

test("what is sent at the greeting comes after the proof", async (t) => {
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

test("the messages of a connection are the same at every split of their bytes", async (t) => {
  const at = await openTestServer(t);
  const sent = [userInputWithId("a", "Grüße 🦊"), userInputWithId("b", 'quote " and \\')];
  const bytes = Buffer.from(sent.map((message) => ` ${frame(clientCodec.encode(message))}\n`).join(""));
  for (let at2 = 1; at2 < bytes.length; at2 += 1) {
    const peer = await connectProved(t, at);
    peer.write(bytes.subarray(0, at2));
    await runReadyCallbacks();
    peer.write(bytes.subarray(at2));
    assert.equal(payloadOf(await peer.next())["id"], "a");
    assert.equal(payloadOf(await peer.next())["id"], "b");
    peer.socket.destroy();
  }
  const texts = new Set(at.heard.map((message) => payloadOf(message)["text"]));
  assert.deepEqual([...texts], ["Grüße 🦊", 'quote " and \\']);
});

test("a frame may have 64 Ki code points before proof and more after it", async (t) => {
  const at = await openTestServer(t);
  const unproved = connectPeer(t, { path: at.socketPath });
  await unproved.next();
  unproved.write("010001(");
  assert.deepEqual((await unproved.rest()).map(errorOf), ["too-long"]);
  const peer = await connectProved(t, at);
  peer.send(userInputWithId("long", "ä".repeat(200_000)));
  assert.equal(payloadOf(await peer.next())["id"], "long");
  assert.equal(String(payloadOf(at.heard[0] ?? {})["text"]).length, 200_000);
});

for (const [name, bytes] of [
  ["no header", "hello, daemon"],
  ["a sign in its header", "+0002C(:TYPE :HEALTH-CHECK)"],
  ["a form that does not end", "000004(:A "],
  ["two forms", "00000600 (A)"],
  ["something to evaluate", "000012#.(delete-file 1)"],
  ["ill-formed UTF-8", Buffer.from([0x30, 0x30, 0x30, 0x30, 0x30, 0x31, 0xff])],
  ["an unknown type", frame("(:TYPE :SURPRISE)")],
  [
    "a verdict of its own",
    frame('(:TYPE :EVENT :STATUS :APPROVED :PAYLOAD (:SENSOR :USER-INPUT :TEXT "x"))'),
  ],
  ["a sensor of the daemon", frame("(:TYPE :EVENT :PAYLOAD (:SENSOR :HEARTBEAT))")],
] as const) {
  test(`what has ${name} gets one protocol error and the end of the connection`, async (t) => {
    const at = await openTestServer(t);
    const peer = await connectProved(t, at);
    peer.write(bytes);
    peer.send(userInputWithId("after", "must not be heard"));
    const said = await peer.rest();
    assert.equal(said.length, 1);
    assert.equal(typeof errorOf(said[0] ?? {}), "string");
    assert.deepEqual(at.heard, []);
    await until(() => at.left.length === 1);
  });
}

test("whatever bytes come, the server goes on", async (t) => {
  const at = await openTestServer(t, { enforceProof: false });
  const header = fc.constantFrom("", "000004", "00002C(", "FFFFFF", "000016(:TYPE :HEALTH-CHECK)");
  await fc.assert(
    fc.asyncProperty(header, fc.uint8Array({ maxLength: 200 }), async (start, bytes) => {
      const peer = connectPeer(t, { path: at.socketPath });
      peer.socket.allowHalfOpen = true;
      peer.socket.end(Buffer.concat([Buffer.from(start), bytes]));
      for (const said of (await peer.rest()).slice(1)) {
        assert.match(String(said["type"]), /^(protocol-error|health-response)$/);
      }
    }),
  );
  const peer = connectPeer(t, { path: at.socketPath });
  await peer.next();
  peer.send(health);
  assert.equal((await peer.next())["type"], "health-response");
  assert.deepEqual([at.heard, at.reported], [[], []]);
});

test("a stream that ends inside a frame is told so", async (t) => {
  const at = await openTestServer(t);
  const peer = await connectProved(t, at);
  peer.socket.allowHalfOpen = true;
  peer.socket.end("00002C(:TYPE");
  assert.deepEqual((await peer.rest()).map(errorOf), ["cut-off"]);
});

test("a web page that posts to the port gets a protocol error, and nothing happens", async (t) => {
  const at = await openTestServer(t, { port: 0, enforceProof: false });
  const { port } = at.server;
  assert.ok(port !== null && port > 0);
  const body = frame(clientCodec.encode(userInputWithId("w", "/approve all")));
  const { promise, resolve } = Promise.withResolvers<Error>();
  const post = request({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/",
    headers: { origin: "http://evil" },
  });
  post.on("error", resolve);
  post.end(body);
  assert.match((await promise).message, /Parse Error/);
  const peer = connectPeer(t, { port });
  await peer.next();
  peer.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  assert.deepEqual((await peer.rest()).map(errorOf), ["bad-header"]);
  assert.deepEqual([at.heard, at.greeted], [[], []]);
});

test("health is told before proof, and while every message is still being handled", async (t) => {
  const stuck = Promise.withResolvers<void>();
  const state = { checked: false };
  const at = await openTestServer(t, {
    message: () => stuck.promise,
    health: () => ({ status: "degraded", checked: state.checked }),
  });
  const peer = await connectProved(t, at);
  peer.send(userInputWithId("w", "think long"));
  await until(() => at.heard.length === 1);
  peer.send(health);
  assert.deepEqual(await peer.next(), { type: "health-response", status: "degraded", "checked-p": false });
  state.checked = true;
  const other = connectPeer(t, { path: at.socketPath });
  await other.next();
  other.send(health);
  assert.deepEqual(await other.next(), { type: "health-response", status: "degraded", "checked-p": true });
  stuck.resolve();
});

test("a fault in handling a message ends its connection in words, is reported, and harms no other", async (t) => {
  const at = await openTestServer(t, {
    message: (connection, message) => {
      if (message["id"] === "bad") throw new Error("disk on fire");
      acceptMessage(connection, message);
    },
  });
  const one = await connectProved(t, at);
  const two = await connectProved(t, at);
  one.send(userInputWithId("bad", "x"));
  assert.deepEqual((await one.rest()).map(errorOf), ["fault"]);
  assert.match(at.reported.join(), /disk on fire/);
  two.send(userInputWithId("good", "y"));
  assert.equal(payloadOf(await two.next())["id"], "good");
});

test("a fault in greeting a client or in taking leave of it is reported, and the server goes on", async (t) => {
  const at = await openTestServer(t, {
    handler: {
      hello: ({ source }) => assert.equal(source, "emacs", "no greeting"),
      message: () => {},
      closed: () => assert.fail("no leave"),
    },
  });
  const refused = connectPeer(t, { path: at.socketPath });
  refused.send(proofFor(await refused.next(), at.secret));
  assert.deepEqual((await refused.rest()).slice(1).map(errorOf), ["fault"]);
  await until(() => at.reported.length === 2);
  assert.match(at.reported.join(), /no greeting.*no leave/s);
  assert.equal(at.server.connections(), 0);
});

test("a health check that fails is told as unknown", async (t) => {
  const at = await openTestServer(t, {
    health: () => {
      throw new Error("no idea");
    },
  });
  const peer = connectPeer(t, { path: at.socketPath });
  await peer.next();
  peer.send(health);
  assert.deepEqual(await peer.next(), { type: "health-response", status: "unknown", "checked-p": false });
  assert.match(at.reported.join(), /no idea/);
});

test("200 clients at once prove themselves and are answered", async (t) => {
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

test("a client too many is turned away in words", async (t) => {
  const at = await openTestServer(t, { limits: { ...wireLimits, socketConnections: 2 } });
  const peers = [await connectProved(t, at), await connectProved(t, at)];
  const third = connectPeer(t, { path: at.socketPath });
  assert.deepEqual((await third.rest()).slice(1).map(errorOf), ["too-many-connections"]);
  peers[0]?.socket.destroy();
  await until(() => at.server.connections() === 1);
  await connectProved(t, at);
});

test("a flood on the port takes no place from clients of the socket", async (t) => {
  const at = await openTestServer(t, {
    port: 0,
    limits: { ...wireLimits, socketConnections: 2, portConnections: 3 },
  });
  const port = at.server.port ?? 0;
  const flood = Array.from({ length: 8 }, () => connectPeer(t, { port }));
  const greetings = await Promise.all(flood.map((peer) => peer.next()));
  assert.equal(greetings.length, 8);
  await until(() => at.server.connections() === 3);
  await connectProved(t, at);
  await connectProved(t, at);
  const third = connectPeer(t, { path: at.socketPath });
  assert.deepEqual((await third.rest()).slice(1).map(errorOf), ["too-many-connections"]);
  await until(() => at.server.connections() === 5);
});

test("closing sends what waits, disconnects everybody, and takes nobody in", async (t) => {
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
