import assert from "node:assert/strict";
import { test } from "node:test";
import { connectPeer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { mostMemory, residentOf } from "./resident-memory.ts";
import { isAcceptance, listenTo, wordsIn } from "./wire-client.ts";

/** `npm run long` queues 10,000. */
const signals = process.env["LONG"] === "all" ? 10_000 : 2500;

test("thousands of queued signals are on disk once each and in their order, while commands and health overtake them", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang", repeat: true }]);
  const daemon = await startDaemon(t, world);
  const client = listenTo(t, world, daemon, { capabilities: [] });
  client.client.send(wordsIn("long", "think for ever", "first"));
  await world.provider.reached(1);
  for (let sent = 1; sent <= signals; sent += 1)
    client.client.send(wordsIn("long", `line ${sent}`, `w${sent}`));
  const health = connectPeer(t, { path: daemon.socketPath });
  await health.next();
  health.send({ type: "health-check" });
  assert.equal((await health.next())["type"], "health-response");
  await client.message((message) => isAcceptance(message, `w${signals}`));
  const accepted = client.events.filter(({ kind }) => kind === "accepted");
  assert.equal(accepted.length, signals + 1);
  const kept = onDatabase(world, "SELECT client FROM turns ORDER BY number").map((row) => row["client"]);
  assert.deepEqual(kept, ["first", ...Array.from({ length: signals }, (_, index) => `w${index + 1}`)]);
  assert.ok(residentOf(daemon.pid) < mostMemory, `${residentOf(daemon.pid)} MB`);
  const stopped = await client.request("stop", {}, "long");
  assert.equal(payloadOf(stopped)["text"], "Stopped.");
  const open = "SELECT id FROM turns WHERE state <> 'stopped' LIMIT 1";
  while (onDatabase(world, open).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
