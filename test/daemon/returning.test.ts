import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { startCommand, untilTurn } from "./live-command.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { isAcceptance, listenTo, provedPeer, textOf, untilAnswer, wordsIn } from "./wire-client.ts";

const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);

test("a question that was asked while its client had no daemon reaches the client when it is back", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, writesOutside, { text: "Made it." }]);
  const first = await startDaemon(t, world);
  const asking = startCommand(t, world, ["ask", "make it"]);
  await world.provider.reached(1);
  asking.signal("SIGSTOP");
  first.signal("SIGKILL");
  await first.end;
  await serveDaemon(world);
  await untilTurn(world, "suspended");
  asking.signal("SIGCONT");
  const { code, err } = await asking.end;
  assert.equal(code, 4);
  const [, token = ""] = /approve (\S+)/.exec(err) ?? [];
  assert.equal((await world.command(["approve", token])).out, "Made it.\n");
  assert.equal(existsSync(`${world.home}/outside.txt`), true);
});

test("an answer that another client took while one had no daemon reaches that one too, once", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "For both." }]);
  const first = await startDaemon(t, world);
  const asking = startCommand(t, world, ["ask", "--session", "shared", "hello"]);
  await world.provider.reached(1);
  asking.signal("SIGSTOP");
  first.signal("SIGKILL");
  await first.end;
  const second = await serveDaemon(world);
  await untilTurn(world, "answered");
  const other = await provedPeer(t, world, second);
  other.send({ type: "request", id: "open", payload: { action: "session", name: "shared" } });
  assert.equal(textOf((await untilAnswer(other)).at(-1) ?? {}), "For both.");
  asking.signal("SIGCONT");
  const { code, out } = await asking.end;
  assert.deepEqual([code, out], [0, "For both.\n"]);
  assert.equal(onDatabase(world, "SELECT id FROM sessions").length, 1);
});

test("a client that asks how a turn stands that nobody knows is told so", async (t) => {
  const world = await makeWorld(t);
  const client = listenTo(t, world, await serveDaemon(world));
  const said = await client.request("follow", { turn: "never" });
  assert.match(textOf(said), /Turn never is not kept any more/);
});

test("what failed while nobody looked is shown on return, with how it ended", async (t) => {
  const world = await makeWorld(t, [{ status: 400, pauseMs: 100 }]);
  const daemon = await serveDaemon(world);
  const gone = await provedPeer(t, world, daemon);
  gone.send({ type: "request", id: "open", payload: { action: "session", name: "away" } });
  gone.send(wordsIn("away", "what fails", "one"));
  while (!isAcceptance(await gone.next(), "one"));
  gone.socket.destroy();
  await untilTurn(world, "failed");
  const { out } = await world.command(["--session", "away"]);
  assert.match(out, /\(earlier\) failed: /);
});

test("what is said while the daemon closes is not acknowledged, and is repeated to the next one", async (t) => {
  const world = await makeWorld(t, [
    { when: "the slow one", text: ["Slow ", "answer."], pauseMs: 700 },
    { when: "said too late", text: "Not lost." },
  ]);
  const first = await startDaemon(t, world);
  const client = listenTo(t, world, first);
  client.client.send(wordsIn("s", "the slow one", "one"));
  await world.provider.reached(1);
  first.signal("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const late = client.say("t", "said too late", "two");
  assert.equal((await first.end).code, 0);
  assert.equal(
    client.messages.some((message) => isAcceptance(message, "two")),
    false,
  );
  await startDaemon(t, world);
  assert.equal(textOf(await late), "Not lost.");
});

test("a quiet question, a forgetting and a rollback use up no answer that waits: the next one that shows them shows it", async (t) => {
  const world = await makeWorld(t, [
    { fault: "hang" },
    { text: "First." },
    { text: "Second." },
    { text: "Third." },
  ]);
  const first = await startDaemon(t, world);
  const asking = startCommand(t, world, ["ask", "--session", "shared", "one"]);
  await world.provider.reached(1);
  asking.signal("SIGKILL");
  await asking.end;
  first.signal("SIGKILL");
  await first.end;
  await serveDaemon(world);
  await untilTurn(world, "answered");
  const quiet = await world.command(["ask", "--quiet", "--session", "shared", "two"]);
  assert.deepEqual([quiet.code, quiet.out, quiet.err], [0, "Second.\n", ""]);
  assert.equal((await world.command(["memory", "forget", "nothing"])).code, 1);
  assert.equal((await world.command(["memory", "rollback", "99"])).code, 1);
  assert.deepEqual(
    onDatabase(world, "SELECT text, delivered FROM outbox ORDER BY number").map((row) => ({ ...row })),
    [
      { text: "First.", delivered: 0 },
      { text: "Second.", delivered: 1 },
    ],
  );
  const shown = await world.command(["ask", "--session", "shared", "three"]);
  assert.deepEqual([shown.out, shown.err.includes("(earlier) First.")], ["Third.\n", true]);
});

test("what became of work that the program was killed in is told to the owner in whatever session comes first, once, with the words that began it", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "First." }, { text: "Next.", repeat: true }]);
  const first = await startDaemon(t, world);
  const asking = startCommand(t, world, ["ask", "--session", "shared", "count my books"]);
  await world.provider.reached(1);
  asking.signal("SIGKILL");
  first.signal("SIGKILL");
  await Promise.all([asking.end, first.end]);
  await serveDaemon(world);
  await untilTurn(world, "answered");
  const told = 'Passepartout ended in the middle of "count my books" (session shared). It goes on now.\n';
  const next = await world.command(["ask", "--session", "other", "hello"]);
  assert.deepEqual([next.out, next.err], ["Next.\n", told]);
  const later = await world.command(["ask", "--session", "other", "hello"]);
  assert.deepEqual([later.out, later.err], ["Next.\n", ""]);
});
