import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { frame } from "../codec/frame.ts";
import { wireLimits } from "../codec/limits.ts";
import type { Connection } from "./connection.ts";
import {
  acceptMessage,
  connectPeer,
  connectProved,
  makeManualTime,
  openTestServer,
  payloadOf,
  proofFor,
  runReadyCallbacks,
  userInputWithId,
  waitUntil,
} from "./wire.fixture.ts";

const meta = { "session-id": "s1", "turn-id": "t1" };
const chunk = (text: string): JsonObject => ({ type: "stream-chunk", meta, payload: { text } });
const answer = (text: string): JsonObject => ({
  type: "response",
  meta: { source: "tui", ...meta },
  payload: { action: "message", text },
});

function only(connections: readonly Connection[]): Connection {
  const [connection] = connections;
  assert.ok(connection !== undefined);
  return connection;
}

test("for a slow reader chunks are dropped, their stream is withdrawn, and the whole text follows at the end", async (t) => {
  const at = await openTestServer(t);
  const peer = await connectProved(t, at);
  const to = only(at.greeted);
  const piece = "word ".repeat(800);
  for (let count = 0; count < 2_000; count += 1) to.send(chunk(piece), "chunk");
  to.send(answer("the whole text"), "other");
  to.send({ ...chunk("next"), meta: { ...meta, "turn-id": "t2" } }, "chunk");
  const types: string[] = [];
  for (let type = ""; type !== "response"; types.push(type)) type = String((await peer.next())["type"]);
  const withdrawn = types.indexOf("stream-reset");
  assert.ok(withdrawn > 0 && withdrawn < 1_000, `withdrawn after ${withdrawn} chunks`);
  assert.deepEqual(types.slice(withdrawn), ["stream-reset", "response"]);
  assert.equal(payloadOf(await peer.next())["text"], "next");
});

test("a reader that keeps up gets every chunk in order", async (t) => {
  const at = await openTestServer(t);
  const peer = await connectProved(t, at);
  for (let count = 0; count < 500; count += 1) {
    only(at.greeted).send(chunk(`${count} `), "chunk");
    assert.equal(payloadOf(await peer.next())["text"], `${count} `);
  }
});

test("a client without the capability stream gets neither chunks nor their withdrawal", async (t) => {
  const at = await openTestServer(t);
  const peer = await connectProved(t, at, { capabilities: [] });
  only(at.greeted).send(chunk("piece"), "chunk");
  only(at.greeted).send({ type: "stream-reset", meta, payload: { text: "" } }, "other");
  only(at.greeted).send(answer("whole"), "other");
  assert.equal((await peer.next())["type"], "response");
});

test("the sender of an answer is told when the system has taken it, and never if the client is gone", async (t) => {
  const limits = { ...wireLimits, queueBytes: 1_000_000 };
  const at = await openTestServer(t, { limits });
  const peer = await connectProved(t, at);
  const to = only(at.greeted);
  const taken: number[] = [];
  to.send(answer("first"), "other", () => taken.push(0));
  assert.equal(payloadOf(await peer.next())["text"], "first");
  await waitUntil(() => taken.length === 1);
  for (let count = 1; count < 10_000; count += 1) {
    to.send(answer("x".repeat(1_000)), "other", () => taken.push(count));
  }
  peer.socket.destroy();
  await waitUntil(() => at.left.length === 1);
  to.send(answer("too late"), "other", () => taken.push(-1));
  await runReadyCallbacks();
  assert.ok(!taken.includes(-1) && !taken.includes(9_999) && taken.length < 9_000);
});

test("a reader that stopped reading is disconnected once its queue is full, and no other client is affected", async (t) => {
  const time = makeManualTime();
  const limits = { ...wireLimits, queueBytes: 1_000_000 };
  const at = await openTestServer(t, { limits, wait: time.wait });
  const stopped = await connectProved(t, at);
  const other = await connectProved(t, at);
  const [to] = at.greeted;
  assert.ok(to !== undefined);
  for (let count = 0; count < 10_000; count += 1) to.send(answer("x".repeat(1_000)), "other");
  other.send(userInputWithId("w", "still here?"));
  assert.equal(payloadOf(await other.next())["id"], "w");
  await time.pass(limits.lingerMilliseconds);
  await waitUntil(() => at.server.connections() === 1);
  assert.deepEqual(at.left, [to.id]);
  stopped.socket.destroy();
});

test("a slow reader that resumes in time learns why it was disconnected, and no frame is cut", async (t) => {
  const limits = { ...wireLimits, queueBytes: 1_000_000 };
  const at = await openTestServer(t, { limits, wait: makeManualTime().wait });
  const peer = await connectProved(t, at);
  for (let count = 0; count < 10_000; count += 1) only(at.greeted).send(answer("x".repeat(1_000)), "other");
  const said = await peer.rest();
  assert.equal(payloadOf(said.at(-1) ?? {})["code"], "slow-reader");
  assert.ok(said.slice(0, -1).every(({ type }) => type === "response"));
});

test("a flood of 10,000 messages waits in the sender's socket and is then handled completely and in order", async (t) => {
  const gate = Promise.withResolvers<void>();
  const message = async (connection: Connection, heard: JsonObject): Promise<void> => {
    await gate.promise;
    acceptMessage(connection, heard);
  };
  const at = await openTestServer(t, { message });
  const peer = await connectProved(t, at);
  for (let index = 0; index < 10_000; index += 1) peer.send(userInputWithId(`w${index}`, "x".repeat(200)));
  await waitUntil(() => at.heard.length >= wireLimits.concurrentMessages);
  for (let round = 0; round < 10; round += 1) await idleRound(t, at.socketPath);
  assert.ok(at.heard.length < 1_000, `${at.heard.length} messages in memory`);
  gate.resolve();
  for (let index = 0; index < 10_000; index += 1) {
    assert.equal(payloadOf(await peer.next())["id"], `w${index}`);
  }
  assert.deepEqual(
    at.heard.map(({ id }) => id),
    Array.from({ length: 10_000 }, (_, index) => `w${index}`),
  );
});

test("a connection that is closed while its flood waits ends at once", async (t) => {
  const time = makeManualTime();
  const limits = { ...wireLimits, concurrentMessages: 1 };
  const message = (): Promise<void> => new Promise(() => {});
  const at = await openTestServer(t, { limits, message, wait: time.wait });
  const peer = await connectProved(t, at);
  peer.send(userInputWithId("w", "think for ever"));
  await waitUntil(() => at.heard.length === 1);
  for (let index = 0; index < 1_000; index += 1) peer.send(userInputWithId(`w${index}`, "x".repeat(200)));
  await idleRound(t, at.socketPath);
  only(at.greeted).close({ code: "enough", text: "That is enough." });
  assert.deepEqual(
    (await peer.rest()).map((said) => payloadOf(said)["code"]),
    ["enough"],
  );
  await waitUntil(() => at.left.length === 1);
  assert.equal(time.running(), 0);
});

test("a stream that its sender withdrew may start again in the same turn", async (t) => {
  const at = await openTestServer(t);
  const peer = await connectProved(t, at);
  const to = only(at.greeted);
  for (let count = 0; count < 1_000; count += 1) to.send(chunk("word ".repeat(800)), "chunk");
  to.send({ type: "stream-reset", meta, payload: { text: "another model answers" } }, "other");
  for (let resets = 0; resets < 2; ) if ((await peer.next())["type"] === "stream-reset") resets += 1;
  to.send(chunk("anew"), "chunk");
  assert.equal(payloadOf(await peer.next())["text"], "anew");
});

test("messages sent just before leaving are handled, and accepted if the client still reads", async (t) => {
  const gate = Promise.withResolvers<void>();
  const message = async (connection: Connection, heard: JsonObject): Promise<void> => {
    await gate.promise;
    acceptMessage(connection, heard);
  };
  const at = await openTestServer(t, { message, wait: makeManualTime().wait });
  const peer = await connectProved(t, at);
  peer.socket.allowHalfOpen = true;
  peer.send(userInputWithId("last", "bye"));
  peer.socket.end();
  await waitUntil(() => at.heard.length === 1);
  await runReadyCallbacks();
  gate.resolve();
  assert.deepEqual(
    (await peer.rest()).map((said) => payloadOf(said)["id"]),
    ["last"],
  );
});

test("a long answer is sent in parts that fit, the first with everything that is not text", async (t) => {
  const limits = { ...wireLimits, frameCodePoints: 1_000 };
  const at = await openTestServer(t, { limits });
  const peer = await connectProved(t, at);
  const text = 'a "quoted" 🦊 '.repeat(400);
  only(at.greeted).send(
    { ...answer(text), "gate-trace": [{ gate: "shell", result: "passed", reason: "harmless" }] },
    "other",
  );
  const parts: JsonObject[] = [];
  do parts.push(await peer.next());
  while (payloadOf(parts.at(-1) ?? {})["part"] !== payloadOf(parts[0] ?? {})["of"]);
  assert.ok(parts.length > 5);
  assert.equal(parts.map((part) => payloadOf(part)["text"]).join(""), text);
  assert.deepEqual(
    parts.map((part) => part["gate-trace"] !== undefined),
    parts.map((_, index) => index === 0),
  );
});

test("a frame that is not complete after 30 s ends its connection, however slowly it arrives", async (t) => {
  const time = makeManualTime();
  const at = await openTestServer(t, { wait: time.wait });
  const slow = await connectProved(t, at);
  const idle = await connectProved(t, at);
  const bytes = frame('(:TYPE :EVENT :PAYLOAD (:SENSOR :USER-INPUT :TEXT "slow"))');
  for (let sent = 0; sent < 29; sent += 1) {
    slow.write(bytes.slice(sent, sent + 1));
    await idleRound(t, at.socketPath);
    await time.pass(1_000);
  }
  await time.pass(999);
  assert.equal(at.left.length, 0);
  await time.pass(1);
  assert.deepEqual(
    (await slow.rest()).map((said) => payloadOf(said)["code"]),
    ["frame-timeout"],
  );
  idle.send(userInputWithId("w", "I was only silent"));
  assert.equal(payloadOf(await idle.next())["id"], "w");
});

test("any number of frames may follow each other if each is complete in time", async (t) => {
  const time = makeManualTime();
  const at = await openTestServer(t, { wait: time.wait });
  const peer = await connectProved(t, at);
  const bytes = frame("(:TYPE :HEALTH-CHECK)");
  peer.write(bytes.slice(0, 9));
  for (let round = 0; round < 5; round += 1) {
    await idleRound(t, at.socketPath);
    await time.pass(20_000);
    peer.write(bytes.slice(9) + bytes.slice(0, 9));
    assert.equal((await peer.next())["type"], "health-response");
  }
});

test("a client that neither proves itself nor asks for health within 5 s is disconnected; one that did either stays", async (t) => {
  const time = makeManualTime();
  const at = await openTestServer(t, { wait: time.wait });
  const silent = connectPeer(t, { path: at.socketPath });
  await silent.next();
  const monitor = connectPeer(t, { path: at.socketPath });
  await monitor.next();
  monitor.send({ type: "health-check" });
  await monitor.next();
  const proved = await connectProved(t, at);
  await time.pass(5_000);
  assert.deepEqual(
    (await silent.rest()).map((said) => payloadOf(said)["code"]),
    ["proof-timeout"],
  );
  monitor.send({ type: "health-check" });
  assert.equal((await monitor.next())["type"], "health-response");
  proved.send(userInputWithId("w", "hi"));
  assert.equal(payloadOf(await proved.next())["id"], "w");
});

test("if proof is not enforced, no client is disconnected for silence", async (t) => {
  const time = makeManualTime();
  const at = await openTestServer(t, { wait: time.wait, enforceProof: false });
  const peer = connectPeer(t, { path: at.socketPath });
  const handshake = await peer.next();
  await time.pass(60_000);
  peer.send(proofFor(handshake, at.secret));
  assert.equal(payloadOf(await peer.next())["action"], "authenticated");
});

test("a protocol error that is not read ends the connection all the same", async (t) => {
  const time = makeManualTime();
  const at = await openTestServer(t, { wait: time.wait });
  const peer = await connectProved(t, at);
  peer.socket.allowHalfOpen = true;
  peer.write("nonsense");
  await idleRound(t, at.socketPath);
  await time.pass(wireLimits.lingerMilliseconds);
  await waitUntil(() => at.left.length === 1);
});

/** A round trip on another connection: by its end the server has read what was written before. */
async function idleRound(t: Parameters<typeof connectPeer>[0], path: string): Promise<void> {
  const peer = connectPeer(t, { path });
  await peer.next();
  peer.send({ type: "health-check" });
  await peer.next();
  peer.socket.destroy();
}
