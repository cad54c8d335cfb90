import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { connectPeer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { calls, makeWorld, onDatabase } from "../agent-world.ts";
import { refusedDaemon, startDaemon } from "./daemon-process.ts";
import { startCommand } from "./live-command.ts";
import { serveDaemon } from "./serve-daemon.ts";
import {
  isAcceptance,
  isQuestion,
  listenTo,
  provedPeer,
  textOf,
  untilAnswer,
  wordsIn,
} from "./wire-client.ts";

const standardPort = 9105;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const taken = new Promise<boolean>((resolve) => server.once("error", () => resolve(false)));
  const free = once(server.listen(port, "127.0.0.1"), "listening").then(() => true);
  const found = await Promise.race([taken, free.catch(() => false)]);
  if (found) await new Promise((resolve) => server.close(resolve));
  return found;
}

test("a daemon that is told no port listens on 9105 of the loopback address, or says that this one is taken", async (t) => {
  const world = await makeWorld(t);
  if (await isFree(standardPort)) {
    const daemon = await startDaemon(t, world, { port: null });
    assert.equal(daemon.port, standardPort);
    const peer = connectPeer(t, { port: standardPort });
    assert.equal(payloadOf(await peer.next())["action"], "handshake");
    daemon.signal("SIGTERM");
    assert.equal((await daemon.end).code, 0);
  } else {
    const { code, said } = await refusedDaemon(t, world, { port: null });
    assert.equal(code, 1);
    assert.match(said, /Port 9105 on 127\.0\.0\.1 is used by another program/);
  }
});

test("a daemon that is told a port listens on that one", async (t) => {
  const world = await makeWorld(t);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  await new Promise((resolve) => server.close(resolve));
  assert.equal((await startDaemon(t, world, { port })).port, port);
});

test("what is said the moment that the daemon listens waits until all is loaded, and is answered once", async (t) => {
  const world = await makeWorld(t, [{ text: "Loaded." }]);
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon);
  peer.send({ type: "health-check" });
  peer.send(wordsIn("s", "hello", "one"));
  const heard = await untilAnswer(peer);
  const [health] = heard;
  assert.equal(health?.["type"], "health-response");
  assert.equal(heard.filter((message) => isAcceptance(message, "one")).length, 1);
  assert.equal(textOf(heard.at(-1) ?? {}), "Loaded.");
  assert.equal(onDatabase(world, "SELECT id FROM turns").length, 1);
});

test("the daemon's heartbeat ends a question that nobody answers in time, with nobody there who speaks", async (t) => {
  const world = await makeWorld(t, [calls(["write-file", { path: "../outside.txt", content: "made\n" }])]);
  const settings = { HEARTBEAT_INTERVAL: "1", APPROVAL_EXPIRY: "0.01" };
  const client = listenTo(t, world, await serveDaemon(world, { settings }));
  assert.ok(client.client.send(wordsIn("s", "make it", "one")).ok);
  await client.message(isQuestion);
  const end = await client.message(({ type }) => type === "response");
  assert.deepEqual([payloadOf(end)["outcome"], payloadOf(end)["code"]], ["blocked", "expired"]);
});

test("of two agents that are started at the same moment one serves, and the other leaves without a word", async (t) => {
  const world = await makeWorld(t, [{ text: "Served." }]);
  const args = ["daemon", "--while-used"];
  const both = [startCommand(t, world, args), startCommand(t, world, args)];
  const left = await Promise.race(both.map(async (one) => ({ one, ...(await one.end) })));
  assert.deepEqual([left.code, left.err], [0, ""]);
  assert.match((await world.command(["ask", "hello"])).out, /Served\./);
  for (const one of both) if (one !== left.one) one.signal("SIGTERM");
  const [{ code, err } = { code: null, err: "" }] = await Promise.all(
    both.filter((one) => one !== left.one).map(({ end }) => end),
  );
  assert.deepEqual([code, err], [0, ""]);
});
