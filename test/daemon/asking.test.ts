import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { calls, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";
import { startDaemon } from "./daemon-process.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { isQuestion, listenTo, provedPeer, textOf, tokenOf, untilAnswer } from "./wire-client.ts";

const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);
const opens = { type: "request", id: "open", payload: { action: "session", name: "elsewhere" } };

test("a client that connects later is asked what waits, once, with a token that works, and so it is after a restart", async (t) => {
  const world = await makeWorld(t, [writesOutside, { text: "Made it." }]);
  const first = await serveDaemon(world);
  const { err } = await world.command(["ask", "make it"]);
  const [, shown = ""] = /approve (\S+)/.exec(err) ?? [];
  const late = await provedPeer(t, world, first);
  late.send(opens);
  assert.equal(tokenOf(await late.next()), shown);
  late.send({ ...opens, id: "again" });
  const heard = [await late.next(), await late.next()];
  assert.ok(!heard.some(isQuestion), JSON.stringify(heard));
  await first.leave();
  const second = await serveDaemon(world);
  const [one, two] = [await provedPeer(t, world, second), await provedPeer(t, world, second)];
  const tokens: string[] = [];
  for (const peer of [one, two]) {
    peer.send(opens);
    tokens.push(tokenOf(await peer.next()));
  }
  assert.equal(tokens[0], tokens[1]);
  const client = listenTo(t, world, second);
  await client.request("approve", { token: tokens[0] ?? "" });
  assert.equal(textOf(await client.message((message) => textOf(message) === "Made it.")), "Made it.");
  assert.equal(existsSync(`${world.home}/outside.txt`), true);
  const after = await provedPeer(t, world, second);
  after.send(opens);
  assert.equal(isQuestion(await after.next()), false);
});

test("a conversation that joins a daemon shows what waits, and shows it once though it connects again", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [writesOutside, { text: "Made it." }]);
  const first = await startDaemon(t, world);
  const { err } = await world.command(["ask", "--session", "work", "make it"]);
  assert.match(err, /passepartout approve/);
  await using terminal = await openTerminal(world, ["cli", "--session", "work"]);
  await terminal.shows(/Yes: y$/m);
  first.signal("SIGKILL");
  await first.end;
  await serveDaemon(world);
  terminal.type("/rules");
  terminal.press("Enter");
  await terminal.shows(/There are no rules/);
  terminal.type("/approve");
  terminal.press("Enter");
  const shown = await terminal.shows(/Made it\./);
  assert.equal(shown.split("May I?").length, 2);
});

test("a question of one command uses up no answer of another turn that ends while it waits", async (t) => {
  const asked = Promise.withResolvers<void>();
  const world = await makeWorld(t, [
    { when: "the slow one", text: "Slow answer.", after: asked.promise },
    { when: "the other", text: "Other answer." },
  ]);
  const daemon = await serveDaemon(world);
  const gone = await provedPeer(t, world, daemon);
  gone.send({ type: "request", id: "open", payload: { action: "session", name: "shared" } });
  await gone.next();
  gone.send({
    type: "event",
    id: "slow",
    meta: { "session-id": "shared" },
    payload: { sensor: "user-input", text: "the slow one" },
  });
  await world.provider.reached(1);
  gone.socket.destroy();
  const asking = world.command(["ask", "--session", "shared", "the other"]);
  while (onDatabase(world, "SELECT id FROM turns").length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  asked.resolve();
  assert.equal((await asking).out, "Other answer.\n");
  assert.deepEqual(
    onDatabase(world, "SELECT text, delivered FROM outbox ORDER BY number").map((row) => ({ ...row })),
    [
      { text: "Slow answer.", delivered: 0 },
      { text: "Other answer.", delivered: 1 },
    ],
  );
  const back = await provedPeer(t, world, daemon);
  back.send({ type: "request", id: "open", payload: { action: "session", name: "shared" } });
  assert.equal(textOf((await untilAnswer(back)).at(-1) ?? {}), "Slow answer.");
});
