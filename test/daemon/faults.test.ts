import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { startCommand } from "./live-command.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { isAcceptance, listenTo, provedPeer, textOf, untilAnswer, wordsIn } from "./wire-client.ts";

test("a message repeated with its id after the daemon was killed and started again is one turn", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "Back again." }]);
  const first = await startDaemon(t, world);
  const client = listenTo(t, world, first);
  client.client.send(wordsIn("s1", "hello", "one"));
  await client.message((message) => isAcceptance(message, "one"));
  await world.provider.reached(1);
  first.signal("SIGKILL");
  await first.end;
  const second = await serveDaemon(world);
  const again = await provedPeer(t, world, second);
  again.send(wordsIn("s1", "hello", "one"));
  const heard = await untilAnswer(again);
  assert.equal(
    heard.some((message) => isAcceptance(message, "one")),
    true,
  );
  assert.equal(textOf(heard.at(-1) ?? {}), "Back again.");
  assert.equal(onDatabase(world, "SELECT id FROM turns").length, 1);
});

test("what was said while no daemon ran is repeated by itself when one is there, once", async (t) => {
  const world = await makeWorld(t, [{ text: "First." }, { text: "Second." }]);
  const first = await startDaemon(t, world);
  const client = listenTo(t, world, first);
  assert.equal(textOf(await client.say("s1", "one")), "First.");
  first.signal("SIGKILL");
  await first.end;
  const saying = client.say("s1", "two");
  await serveDaemon(world);
  assert.equal(textOf(await saying), "Second.");
  assert.equal(onDatabase(world, "SELECT id FROM turns").length, 2);
});

test("the same id twice at once is one turn, both are told that it is accepted, and who says it once more is told how it ended", async (t) => {
  const world = await makeWorld(t, [{ text: "Once.", repeat: true }]);
  const daemon = await serveDaemon(world);
  const peers = [await provedPeer(t, world, daemon), await provedPeer(t, world, daemon)];
  for (const peer of peers) for (let time = 0; time < 3; time += 1) peer.send(wordsIn("s1", "hello", "one"));
  for (const peer of peers) {
    const heard = await untilAnswer(peer);
    assert.equal(
      heard.some((message) => isAcceptance(message, "one")),
      true,
    );
  }
  const late = await provedPeer(t, world, daemon);
  late.send(wordsIn("s1", "hello", "one"));
  const heard = await untilAnswer(late);
  assert.ok(heard.some((message) => isAcceptance(message, "one")));
  assert.equal(textOf(heard.at(-1) ?? {}), "Once.");
  assert.equal(onDatabase(world, "SELECT id FROM turns").length, 1);
  assert.equal(world.provider.requests.length, 1);
});

test("a daemon whose state folder vanishes says so in health and to who speaks, accepts nothing, and leaves", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const daemon = await startDaemon(t, world);
  const client = await provedPeer(t, world, daemon);
  client.send(wordsIn("s1", "hello", "one"));
  await untilAnswer(client);
  renameSync(world.state, `${world.state}-aside`);
  client.send({ type: "health-check" });
  assert.equal((await client.next())["status"], "unhealthy");
  client.send(wordsIn("s1", "and now?", "two"));
  const heard = await untilAnswer(client);
  assert.equal(
    heard.some((message) => isAcceptance(message, "two")),
    false,
  );
  assert.equal(payloadOf(heard.at(-1) ?? {})["outcome"], "refused");
  assert.match(textOf(heard.at(-1) ?? {}), /The state folder .* is gone or was replaced.* Put it back/);
  assert.equal(payloadOf(await client.next())["code"], "state-gone");
  const { code, said } = await daemon.end;
  assert.equal(code, 1);
  assert.match(said, /^passepartout: The state folder .* is gone or was replaced.* Put it back/m);
  assert.ok(!said.includes("    at "), said);
  renameSync(`${world.state}-aside`, world.state);
  const again = await serveDaemon(world);
  assert.equal(textOf(await listenTo(t, world, again).say("s1", "and now?", "two")), "Hello.");
});

test("a state folder that vanishes is noticed at the next heartbeat, told to clients, and ends the daemon", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }]);
  const daemon = await startDaemon(t, world, { settings: { HEARTBEAT_INTERVAL: "1" } });
  const idle = await provedPeer(t, world, daemon);
  const asking = startCommand(t, world, ["ask", "hello"]);
  await world.provider.reached(1);
  rmSync(world.state, { recursive: true });
  assert.equal(payloadOf(await idle.next())["code"], "state-gone");
  const { code, said } = await daemon.end;
  assert.equal(code, 1);
  assert.match(said, /The state folder .* is gone or was replaced.* Put it back/);
  assert.ok(!said.includes("    at "), said);
  const asked = await asking.end;
  assert.equal(asked.code, 1);
  assert.match(asked.err, /The state folder .* is gone or was replaced/);
});

test("a daemon whose state folder was removed leaves in order when it is told to", async (t) => {
  const world = await makeWorld(t);
  const daemon = await startDaemon(t, world);
  rmSync(world.state, { recursive: true });
  daemon.signal("SIGTERM");
  const { said } = await daemon.end;
  assert.ok(!said.includes("    at "), said);
});

test("a second command talks to the ask that runs, over its socket, and is served to its end", async (t) => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const world = await makeWorld(t, [
    { when: "slow question", text: "Slow.", after: gates[0].promise },
    { when: "second question", text: "Second.", after: gates[1].promise },
  ]);
  const first = world.run(["ask", "the slow question"], {
    onOutput: (_, err) => {
      if (err.includes("what other commands began")) gates[1].resolve();
    },
  });
  await world.provider.reached(1);
  const second = world.command(["ask", "the second question"]);
  await world.provider.reached(2);
  gates[0].resolve();
  const [slow, other] = await Promise.all([first, second]);
  assert.deepEqual([slow.code, slow.out], [0, "Slow.\n"]);
  assert.deepEqual([other.code, other.out], [0, "Second.\n"], other.err);
});

test("an ask without a daemon opens no port, and leaves no socket behind", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", pauseMs: 200 }]);
  const asking = world.command(["ask", "hello"]);
  await world.provider.reached(1);
  const socket = join(world.state, "run/passepartout.sock");
  assert.ok(existsSync(socket));
  assert.equal((await asking).code, 0);
  assert.equal(existsSync(socket), false);
});

test("a socket that a killed daemon left behind is in nobody's way", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }, { text: "Again." }]);
  const daemon = await startDaemon(t, world);
  daemon.signal("SIGKILL");
  await daemon.end;
  assert.ok(existsSync(daemon.socketPath));
  assert.equal((await world.command(["ask", "hello"])).out, "Hello.\n");
  await serveDaemon(world);
  assert.equal((await world.command(["ask", "again"])).out, "Again.\n");
});

test("a daemon that stops answering in the middle of a question is waited for, and the answer comes", async (t) => {
  const world = await makeWorld(t, [{ text: "Late, but here.", pauseMs: 300 }]);
  const daemon = await startDaemon(t, world);
  const asking = world.command(["ask", "hello"]);
  await world.provider.reached(1);
  daemon.signal("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 500));
  daemon.signal("SIGCONT");
  assert.equal((await asking).out, "Late, but here.\n");
});

test("an ask whose daemon is killed goes on with the next one, and has its answer", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "Here it is." }]);
  const first = await startDaemon(t, world);
  const asking = world.command(["ask", "hello"]);
  await world.provider.reached(1);
  first.signal("SIGKILL");
  await first.end;
  await serveDaemon(world);
  const { code, out, err } = await asking;
  assert.deepEqual([code, out], [0, "Here it is.\n"], err);
});

test("a secret that was removed while the daemon ran is told to the next client in words", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await serveDaemon(world);
  rmSync(join(world.state, "wire-secret"));
  const { code, err } = await world.command(["ask", "hello"]);
  assert.equal(code, 1);
  assert.match(err, /There is no secret|in use by process/);
});

test("a folder in the socket's place is refused in words", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  mkdirSync(join(world.state, "run/passepartout.sock"), { recursive: true, mode: 0o700 });
  const { code, out, err } = await world.command(["ask", "hello"]);
  assert.deepEqual([code, out], [0, "Hello.\n"]);
  assert.match(err, /exists and is not a socket/);
});

test("what is said while the daemon leaves is taken by the next one, once", async (t) => {
  const world = await makeWorld(t, [{ text: ["Slow ", "but ", "sure."], pauseMs: 200 }, { text: "Heard." }]);
  const first = await startDaemon(t, world);
  const client = listenTo(t, world, first);
  client.client.send(wordsIn("busy", "take your time", "one"));
  await world.provider.reached(1);
  first.signal("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 100));
  client.client.send(wordsIn("s1", "are you there?", "two"));
  await first.end;
  await startDaemon(t, world);
  await client.message((message) => isAcceptance(message, "two"));
  assert.equal(onDatabase(world, "SELECT id FROM turns WHERE client = 'two'").length, 1);
  while (onDatabase(world, "SELECT id FROM turns WHERE state <> 'answered'").length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
