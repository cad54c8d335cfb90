import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openLocalAgent } from "../../src/daemon/agent/open-local-agent.ts";
import { serveClients } from "../../src/daemon/serve-clients.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import { wireLimits } from "../../src/wire/codec/limits.ts";
import { readOrMakeSecret } from "../../src/wire/codec/proof-secret.ts";
import { openServer } from "../../src/wire/server/server.ts";
import { connectPeer, payloadOf, realWait } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { healthUntilChecked, isAcceptance, listenTo, metaOf, textOf, wordsIn } from "./wire-client.ts";

test("what clients say before the agent is loaded waits for it, and health is told meanwhile", async (t) => {
  const world = await makeWorld(t, [{ text: "Loaded." }]);
  const policy = loadPolicy(world.environment);
  const clock = Date.now;
  const state = await openState({ folder: world.state, clock, gates: policy.gatesHash, access: "write" });
  const service = serveClients();
  const socketPath = join(world.home, "early.sock");
  const opened = await openServer({
    socketPath,
    port: null,
    version: "0.0.0-test",
    capabilities: ["stream"],
    enforceProof: true,
    secret: readOrMakeSecret(world.state),
    health: () => ({ status: "unknown", checked: false }),
    handler: service.handler,
    wait: realWait,
    limits: wireLimits,
    report: assert.fail,
  });
  assert.ok(opened.ok);
  const client = listenTo(t, world, { socketPath });
  client.client.send(wordsIn("s", "hello", "one"));
  const peer = connectPeer(t, { path: socketPath });
  await peer.next();
  peer.send({ type: "health-check" });
  assert.deepEqual(await peer.next(), { type: "health-response", status: "unknown", "checked-p": false });
  assert.equal(
    client.messages.some((message) => isAcceptance(message, "one")),
    false,
  );
  const start = { environment: world.environment, cwd: world.workspace, version: "0.0.0-test" };
  const local = await openLocalAgent({ start, policy, state, folder: null });
  service.begin(local);
  assert.equal(textOf(await client.say("s", "hello", "one")), "Loaded.");
  service.stop();
  await opened.server.close();
  await local[Symbol.asyncDispose]();
});

test("a daemon that is started at home has nothing to say about home, and is as healthy as one started elsewhere", async (t) => {
  const world = await makeWorld(t);
  const health: unknown[] = [];
  for (const cwd of [world.home, world.workspace]) {
    const daemon = await startDaemon(t, world, { cwd });
    const peer = connectPeer(t, { path: daemon.socketPath });
    await peer.next();
    health.push((await healthUntilChecked(peer)).at(-1)?.["status"]);
    daemon.signal("SIGTERM");
    const { said } = await daemon.end;
    assert.ok(!said.includes("is not taken as a workspace"), said);
  }
  assert.equal(health[0], health[1]);
});

test("a plain answer carries the gates that judged it", async (t) => {
  const world = await makeWorld(t, [{ text: "Good morning." }]);
  const daemon = await serveDaemon(world);
  const client = listenTo(t, world, daemon, { source: "emacs" });
  const answer = await client.say("s", "hello");
  assert.equal(payloadOf(answer)["text"], "Good morning.");
  assert.match(JSON.stringify(answer["gate-trace"]), /\{"gate":"persons","result":"passed"/);
});

test("an answer names its client's source and the gates of the turn's last verdict, and a fault is told as one", async (t) => {
  const world = await makeWorld(t, [
    { calls: [{ name: "list-files", arguments: { path: ".", explanation: "To see what is here" } }] },
    { text: "Nothing." },
    { calls: [{ name: "list-files", arguments: { path: ".", explanation: "To see what is here" } }] },
  ]);
  const daemon = await serveDaemon(world);
  const client = listenTo(t, world, daemon, { source: "emacs" });
  const answer = await client.say("s", "what is here?");
  assert.equal(metaOf(answer)["source"], "emacs");
  assert.match(JSON.stringify(answer["gate-trace"]), /"result":"passed"/);
  onDatabase(
    world,
    "CREATE TRIGGER broken_disk BEFORE INSERT ON messages WHEN NEW.body LIKE '%\"role\":\"result\"%' BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END",
  );
  const failed = await client.say("s", "and now?");
  assert.equal(payloadOf(failed)["code"], "loop-error");
  const fault = await client.message((message) => payloadOf(message)["sensor"] === "loop-error");
  assert.match(String(payloadOf(fault)["message"]), /the disk is broken/);
});
