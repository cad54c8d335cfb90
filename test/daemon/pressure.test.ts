import assert from "node:assert/strict";
import { test } from "node:test";
import { frame } from "../../src/wire/codec/frame.ts";
import { readSecret } from "../../src/wire/codec/proof-secret.ts";
import { connectPeer, payloadOf, proofFor } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { mostMemory, residentOf } from "./resident-memory.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { isAcceptance, listenTo, metaOf, provedPeer, textOf, wordsIn } from "./wire-client.ts";

test("a client that stops reading while a long answer streams holds up nobody, and has the whole answer when it is back", async (t) => {
  const pieces = Array.from(
    { length: 340 },
    (_, index) => `${String(index).padStart(4, "0")} ${"word ".repeat(600)}\n`,
  );
  const world = await makeWorld(t, [
    { when: "tell me all", text: pieces },
    { when: "quick", text: "Quick.", repeat: true },
  ]);
  const daemon = await startDaemon(t, world);
  const slow = await provedPeer(t, world, daemon);
  slow.send(wordsIn("long", "tell me all", "one"));
  while (!isAcceptance(await slow.next(), "one"));
  slow.socket.pause();
  const other = listenTo(t, world, daemon);
  for (let asked = 0; asked < 3; asked += 1) {
    assert.equal(textOf(await other.say("own", `quick ${asked}`, `q${asked}`)), "Quick.");
  }
  const answered = "SELECT id FROM turns WHERE client = 'one' AND state = 'answered'";
  while (onDatabase(world, answered).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(residentOf(daemon.pid) < mostMemory, `${residentOf(daemon.pid)} MB`);
  slow.socket.resume();
  const heard = [await slow.next()];
  while (heard.at(-1)?.["type"] !== "response") heard.push(await slow.next());
  assert.equal(textOf(heard.at(-1) ?? {}), pieces.join(""));
  const chunks = heard
    .filter(({ type }) => type === "stream-chunk")
    .map(textOf)
    .join("");
  const withdrawn = heard.some(({ type }) => type === "stream-reset");
  assert.ok(withdrawn || chunks === pieces.join(""), "a stream that lost chunks was withdrawn");
});

test("a flood of words from one client is taken as fast as the disk allows, and another is served meanwhile", async (t) => {
  const world = await makeWorld(t, [
    { when: "calm", text: "Calm.", repeat: true },
    { fault: "hang", repeat: true },
  ]);
  const daemon = await startDaemon(t, world);
  const flood = await provedPeer(t, world, daemon);
  const text = "flood ".repeat(2000);
  let written = 0;
  for (let sent = 0; sent < 1500; sent += 1) {
    flood.send(wordsIn("flood", text, `f${sent}`));
    written += text.length;
  }
  const calm = listenTo(t, world, daemon);
  assert.equal(textOf(await calm.say("calm", "I am calm")), "Calm.");
  while (!isAcceptance(await flood.next(), "f1499"));
  assert.ok(written > 15_000_000);
  assert.ok(residentOf(daemon.pid) < mostMemory, `${residentOf(daemon.pid)} MB`);
});

test("clients that connect and say nothing, or only health, cost the others nothing", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const daemon = await serveDaemon(world);
  const crowd = Array.from({ length: 300 }, () => connectPeer(t, { path: daemon.socketPath }));
  await Promise.all(crowd.map((peer) => peer.next()));
  for (const peer of crowd) peer.send({ type: "health-check" });
  for (const answer of await Promise.all(crowd.map((peer) => peer.next()))) {
    assert.equal(answer["type"], "health-response");
  }
  assert.equal(textOf(await listenTo(t, world, daemon).say("s", "hello")), "Hello.");
});

test("a proved client that sends a frame beyond the limit is told so", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const early = connectPeer(t, { path: daemon.socketPath });
  const handshake = await early.next();
  early.write("010001(");
  const [refused] = await early.rest();
  assert.equal(refused?.["type"], "protocol-error");
  assert.match(textOf(refused ?? {}), /65,?536/);
  const proof = proofFor(handshake, readSecret(world.state));
  const late = connectPeer(t, { path: daemon.socketPath });
  await late.next();
  late.send(proof);
  assert.equal(payloadOf((await late.rest())[0] ?? {})["code"], "wrong-proof");
});

test("a message of a million characters is taken from a proved client", async (t) => {
  const world = await makeWorld(t, [{ text: "That was long." }]);
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon);
  peer.write(
    frame(`(:TYPE :EVENT :ID "one" :PAYLOAD (:SENSOR :USER-INPUT :TEXT "${"é".repeat(1_000_000)}"))`),
  );
  for (;;) {
    const message = await peer.next();
    if (message["type"] !== "response" && message["type"] !== "protocol-error") continue;
    assert.ok(metaOf(message)["turn-id"] !== undefined || textOf(message) !== "", "something is said of it");
    break;
  }
});
