import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { connectPeer, type Peer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { type AgentWorld, calls, makeWorld, onDatabase, sent } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { type ServedDaemon, serveDaemon } from "./serve-daemon.ts";
import { isQuestion, listenTo, textOf, tokenOf, untilAnswer, wordsIn } from "./wire-client.ts";

const lax = { PROTOCOL_ENFORCE_HMAC: "false" };
const writes = calls(["write-file", { path: "made.txt", content: "made\n" }]);
const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);
const hello: JsonObject = { type: "event", id: "one", payload: { sensor: "user-input", text: "hello" } };

async function laxDaemon(
  t: TestContext,
  steps: readonly Step[],
): Promise<{ readonly world: AgentWorld; readonly daemon: ServedDaemon; readonly peer: Peer }> {
  const world = await makeWorld(t, steps, lax);
  const daemon = await serveDaemon(world);
  const peer = connectPeer(t, { port: daemon.port });
  await peer.next();
  return { world, daemon, peer };
}

test("an unproved client converses where enforcement is off, and streams nothing", async (t) => {
  const { peer } = await laxDaemon(t, [{ text: ["Hello ", "you."] }]);
  peer.send({ ...hello, meta: { source: "emacs", capabilities: ["stream"] } });
  const heard = await untilAnswer(peer);
  assert.equal(textOf(heard.at(-1) ?? {}), "Hello you.");
  assert.deepEqual(
    heard.filter(({ type }) => type === "stream-chunk"),
    [],
  );
});

/** Requests that act, or show what is not the client's. */
const requests: Readonly<Record<string, JsonObject>> = {
  approve: { token: "AAAAAAAAAAAAAAAAAAAAAA" },
  deny: { token: "AAAAAAAAAAAAAAAAAAAAAA" },
  session: { name: "mine" },
  stop: {},
  status: {},
  undo: {},
  rollback: {},
  search: { query: "x" },
  note: { text: "x" },
  attach: { path: "/etc/hostname" },
};

test("each request of an unproved client that acts or shows is refused", async (t) => {
  const { world, daemon } = await laxDaemon(t, [{ text: "never" }]);
  for (const [action, more] of Object.entries(requests)) {
    const peer = connectPeer(t, { port: daemon.port });
    await peer.next();
    peer.send({ type: "request", id: "one", payload: { action, ...more } });
    const [refused] = await untilAnswer(peer);
    assert.equal(payloadOf(refused ?? {})["code"], "unproved", action);
    assert.match(
      textOf(refused ?? {}),
      new RegExp(`The request ${action} needs a connection that proved itself`),
    );
    assert.equal(world.provider.requests.length, 0, action);
  }
});

test("an unproved client's slash commands are words and no commands", async (t) => {
  const { world, daemon, peer } = await laxDaemon(t, [
    { when: "the owner", ...writesOutside },
    { text: "I cannot.", repeat: true },
  ]);
  const owner = listenTo(t, world, daemon);
  owner.client.send(wordsIn("mine", "I am the owner: make it", "one"));
  const token = tokenOf(await owner.message(isQuestion));
  for (const command of [`/approve ${token}`, `/deny ${token}`, "/stop", "/status", "/rollback"]) {
    peer.send({ ...hello, id: command, payload: { sensor: "user-input", text: command } });
    const heard = await untilAnswer(peer);
    assert.ok(!/Approved|Denied|Stopped|Running or waiting/.test(JSON.stringify(heard)), command);
  }
  assert.equal(onDatabase(world, "SELECT id FROM turns WHERE state = 'suspended'").length, 1);
  assert.equal(existsSync(`${world.home}/outside.txt`), false);
});

test("no question and no token reaches an unproved client, whoever is asked and whatever about", async (t) => {
  const { world, daemon, peer } = await laxDaemon(t, [
    { when: "Good day", text: "Good day." },
    { when: "the owner", ...writesOutside },
    { when: "a stranger", ...calls(["remember", { text: "Strangers are friends." }]), repeat: true },
  ]);
  const owner = listenTo(t, world, daemon);
  peer.send({ ...hello, id: "greeting", payload: { sensor: "user-input", text: "Good day" } });
  const greeted = await untilAnswer(peer);
  owner.client.send(wordsIn("mine", "I am the owner: make it", "two"));
  await owner.message(isQuestion);
  peer.send({ ...hello, payload: { sensor: "user-input", text: "I am a stranger: make it" } });
  const heard = [...greeted, ...(await untilAnswer(peer))];
  assert.match(textOf(heard.at(-1) ?? {}), /did not prove itself/);
  assert.equal(heard.some(isQuestion), false);
  for (const question of owner.messages.filter(isQuestion)) {
    assert.ok(!JSON.stringify(heard).includes(tokenOf(question)));
  }
  assert.equal(existsSync(`${world.home}/outside.txt`), false);
});

test("an unproved client's words license nothing: a change that they ask for is not made", async (t) => {
  const { world, peer } = await laxDaemon(t, [writes, writes, writes, { text: "I may not." }]);
  peer.send({ ...hello, payload: { sensor: "user-input", text: "write made.txt" } });
  await untilAnswer(peer);
  assert.equal(existsSync(world.path("made.txt")), false);
  assert.equal(existsSync(`${world.home}/made.txt`), false);
});

test("an unproved client sees no other session, though it names one, and none of its text reaches its model call", async (t) => {
  const { world, daemon, peer } = await laxDaemon(t, [
    { when: "between us", text: "I keep it." },
    { text: "I know of nothing." },
  ]);
  const owner = listenTo(t, world, daemon);
  await owner.say("mine", "between us: the code is 4711-plum");
  peer.send({
    ...hello,
    meta: { "session-id": "mine" },
    payload: { sensor: "user-input", text: "what is the code?" },
  });
  const heard = await untilAnswer(peer);
  assert.equal(textOf(heard.at(-1) ?? {}), "I know of nothing.");
  assert.ok(!sent(world, 1).includes("4711-plum"));
  const seen = owner.messages.length;
  await owner.request("status");
  assert.equal(JSON.stringify(owner.messages.slice(0, seen)).includes("I know of nothing."), false);
});

test("an unproved client cannot prove itself after its first words", async (t) => {
  const { peer } = await laxDaemon(t, [{ text: "Hello." }]);
  peer.send(hello);
  await untilAnswer(peer);
  const proof = { action: "authenticate", nonce: "a".repeat(64), mac: "b".repeat(64) };
  peer.send({ type: "request", payload: proof });
  const [refused] = await peer.rest();
  assert.equal(payloadOf(refused ?? {})["code"], "late-proof");
});
