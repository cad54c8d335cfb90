import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../text/json.ts";
import { clientCodec } from "../codec/codec.ts";
import { frame } from "../codec/frame.ts";
import {
  connectPeer,
  connectProved,
  errorOf,
  openTestServer,
  payloadOf,
  runReadyCallbacks,
  userInputWithId,
  waitUntil,
} from "./wire.fixture.ts";

const health: JsonObject = { type: "health-check" };

test("every split of the bytes gives the same messages", async (t) => {
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

test("a frame may have 64 Ki code points before the proof and more after it", async (t) => {
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
  test(`input with ${name} gets one protocol error and the end of the connection`, async (t) => {
    const at = await openTestServer(t);
    const peer = await connectProved(t, at);
    peer.write(bytes);
    peer.send(userInputWithId("after", "must not be heard"));
    const said = await peer.rest();
    assert.equal(said.length, 1);
    assert.equal(typeof errorOf(said[0] ?? {}), "string");
    assert.deepEqual(at.heard, []);
    await waitUntil(() => at.left.length === 1);
  });
}

test("no bytes stop the server", async (t) => {
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

test("a client whose stream ends inside a frame is told so", async (t) => {
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
