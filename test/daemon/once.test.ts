import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { type Peer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { type AgentWorld, calls, makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { isAcceptance, listenTo, metaOf, provedPeer, type Reached, textOf, wordsIn } from "./wire-client.ts";

const writes = (name: string) => calls(["write-file", { path: name, content: `${name}\n` }]);
const twoFiles = [writes("one.txt"), { text: "One." }, writes("two.txt"), { text: "Two." }];
const command = (id: string, action: string, more: JsonObject = {}): JsonObject => ({
  type: "request",
  id,
  meta: { "session-id": "s" },
  payload: { action, ...more },
});

/** A daemon in whose session two turns wrote a file each. */
async function written<Daemon extends Reached>(
  t: TestContext,
  start: (world: AgentWorld) => Promise<Daemon>,
): Promise<{ readonly world: AgentWorld; readonly daemon: Daemon }> {
  const world = await makeWorld(t, twoFiles);
  const daemon = await start(world);
  const client = listenTo(t, world, daemon);
  await client.say("s", "write one");
  await client.say("s", "write two");
  await client.client.close();
  assert.deepEqual(there(world), [true, true]);
  return { world, daemon };
}

function there(world: AgentWorld): readonly boolean[] {
  return ["one.txt", "two.txt"].map((name) => existsSync(world.path(name)));
}

/** The answer to a message by its id: the response, or the acceptance with its turn. */
async function answerTo(peer: Peer, id: string): Promise<JsonObject> {
  for (;;) {
    const message = await peer.next();
    assert.notEqual(message["type"], "protocol-error", textOf(message));
    if (message["type"] === "response" && message["id"] === id) return message;
    if (isAcceptance(message, id) && metaOf(message)["turn-id"] !== undefined) return message;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const kept = (world: AgentWorld): readonly unknown[] =>
  onDatabase(world, "SELECT client FROM requests WHERE outcome IS NOT NULL");

for (const [how, undo] of [
  ["a request", command("undo-1", "undo")],
  ["typed words", wordsIn("s", "/undo", "undo-1")],
] as const) {
  test(`an undo as ${how} whose connection ended before its answer is repeated under its id, and not done again`, async (t) => {
    const { world, daemon } = await written(t, serveDaemon);
    const gone = await provedPeer(t, world, daemon);
    gone.send(undo);
    await until(() => kept(world).length === 1);
    gone.socket.destroy();
    const back = await provedPeer(t, world, daemon);
    back.send(undo);
    assert.match(textOf(await answerTo(back, "undo-1")), /^Undone\./);
    assert.deepEqual(there(world), [true, false]);
    back.send({ ...undo, id: "undo-2" });
    assert.match(textOf(await answerTo(back, "undo-2")), /^Undone\./);
    assert.deepEqual(there(world), [false, false]);
  });
}

test("an undo that was begun by a daemon that was killed is answered as unknown, and not done again", async (t) => {
  const { world, daemon } = await written(t, (one) => startDaemon(t, one));
  const gone = await provedPeer(t, world, daemon);
  gone.send(command("undo-1", "undo"));
  await answerTo(gone, "undo-1");
  daemon.signal("SIGKILL");
  await daemon.end;
  onDatabase(world, "UPDATE requests SET outcome = NULL");
  const back = await provedPeer(t, world, await serveDaemon(world));
  back.send(command("undo-1", "undo"));
  const said = await answerTo(back, "undo-1");
  assert.deepEqual([payloadOf(said)["outcome"], payloadOf(said)["code"]], ["said", "unknown-outcome"]);
  assert.deepEqual(there(world), [true, false]);
});

test("what is asked twice at once under one id is done once, and both are told what it came to", async (t) => {
  const { world, daemon } = await written(t, serveDaemon);
  const peers = [await provedPeer(t, world, daemon), await provedPeer(t, world, daemon)];
  for (const peer of peers) peer.send(command("undo-1", "undo"));
  const [one, two] = await Promise.all(peers.map((peer) => answerTo(peer, "undo-1")));
  assert.equal(textOf(one ?? {}), textOf(two ?? {}));
  assert.deepEqual(there(world), [true, false]);
});

test("a yes that is repeated under its id goes on with its turn, and the action runs once", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../outside.txt", content: "made\n" }]),
    { text: "Made it." },
  ]);
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon, { workspace: world.workspace });
  peer.send(wordsIn("s", "make it", "make"));
  const question = { token: "" };
  while (question.token === "") question.token = String(payloadOf(await peer.next())["token"] ?? "");
  const yes = { type: "request", id: "yes", payload: { action: "approve", token: question.token } };
  peer.send(yes);
  const { "turn-id": turn } = metaOf(await answerTo(peer, "yes"));
  const again = await provedPeer(t, world, daemon);
  again.send(yes);
  assert.equal(metaOf(await answerTo(again, "yes"))["turn-id"], turn);
  const intents = "SELECT count(*) AS n FROM changes";
  await until(() => onDatabase(world, "SELECT 1 FROM turns WHERE state = 'answered'").length === 1);
  assert.equal(onDatabase(world, intents)[0]?.["n"], 1);
});

test("an id that stands for other words, or for a command, is refused, and nothing vanishes in silence", async (t) => {
  const world = await makeWorld(t, [{ text: "To the first." }, { text: "To the second." }]);
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon);
  peer.send(wordsIn("s", "the first words", "same"));
  await answerTo(peer, "same");
  for (const [message, id] of [
    [wordsIn("s", "the second words", "same"), "same"],
    [command("same", "undo"), "same"],
  ] as const) {
    peer.send(message);
    const refused = payloadOf(await answerTo(peer, id));
    assert.deepEqual([refused["outcome"], refused["code"]], ["refused", "id-taken"]);
    assert.match(String(refused["text"]), /new, random :ID/);
  }
  peer.send(command("shot", "snapshot"));
  await answerTo(peer, "shot");
  peer.send(wordsIn("s", "words under the id of a command", "shot"));
  assert.equal(payloadOf(await answerTo(peer, "shot"))["code"], "id-taken");
  peer.send(wordsIn("s", "the first words", "same"));
  assert.equal(metaOf(await answerTo(peer, "same"))["session-id"] !== undefined, true);
  assert.equal(onDatabase(world, "SELECT id FROM turns").length, 1);
});

test("a snapshot that is repeated under its id is one snapshot", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon);
  const numbers: unknown[] = [];
  for (const id of ["shot", "shot", "other"]) {
    peer.send({ type: "request", id, payload: { action: "snapshot", note: "by hand" } });
    numbers.push(payloadOf(await answerTo(peer, id))["snapshot"]);
  }
  assert.equal(numbers[0], numbers[1]);
  assert.notEqual(numbers[1], numbers[2]);
  assert.equal(onDatabase(world, "SELECT id FROM snapshots").length, 2);
});

test("a note and a search as requests do what the words do", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const client = listenTo(t, world, daemon);
  const ends = async (action: string, more: JsonObject): Promise<string> => {
    const accepted = await client.request(action, more, "s");
    const turn = metaOf(accepted)["turn-id"];
    assert.equal(typeof turn, "string");
    const isEnd = (heard: JsonObject): boolean =>
      heard["type"] === "response" && metaOf(heard)["turn-id"] === turn;
    return textOf(await client.message(isEnd));
  };
  const words = async (text: string): Promise<string> => textOf(await client.say("s", text));
  const figures = (text: string): string => text.replaceAll(/\d+ bytes/g, "N bytes");
  await words("/note Buy bread");
  const typed = await words("/note Buy oat milk");
  assert.equal(figures(await ends("note", { text: "Buy oat milk" })), figures(typed));
  assert.match(await ends("search", { query: "oat\nmilk" }), /oat milk/);
  const empty = await client.request("search", { query: " " }, "s");
  assert.deepEqual([payloadOf(empty)["outcome"], world.provider.requests.length], ["refused", 0]);
});
