import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { commonLength, promptOf, stableLength } from "../prompt-prefix.ts";

test("/stop cancels a model call at once, and the session goes on", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "Here again." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const hanging = talk.say("think for ever");
  await world.provider.reached(1);
  assert.equal((await talk.say("/stop")).text, "Stopped.");
  assert.equal((await hanging).end, "stopped");
  assert.equal((await talk.say("hello")).text, "Here again.");
});

test("what was stopped is told to the model as stopped, and its prompt goes on from the bytes that were sent", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "one.txt", content: "1\n" }]),
    { fault: "hang" },
    { text: "It is noon." },
    { text: "Nothing else." },
  ]);
  await using daemon = await world.open({ LOOP_CONTEXT_WINDOW: "128000" });
  const talk = await talkTo(daemon);
  const writing = talk.say("write one.txt and two.txt");
  await world.provider.reached(2);
  await talk.say("/stop");
  await writing;
  await talk.say("what time is it");
  await talk.say("what else?");
  const [, before, after, later] = world.provider.requests.map(({ body }) => promptOf(body));
  assert.ok(before !== undefined && after !== undefined && later !== undefined);
  const stopped = "[From the program: this turn was stopped here, before it was done.";
  assert.ok(!before.includes(stopped));
  assert.ok(after.indexOf("one.txt and two.txt") < after.indexOf(stopped));
  assert.ok(after.indexOf(stopped) < after.indexOf("what time is it"), after);
  assert.ok(commonLength(before, after) >= stableLength(before));
  assert.ok(commonLength(after, later) >= stableLength(after));
  assert.equal(later.split(stopped).length, 2);
});

test("/stop ends a tool that runs, with all that it started", async (t) => {
  const world = await makeWorld(t, [calls(["eval", { code: "for (;;) {}" }]), { text: "never asked" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const acting = new Promise<void>((resolve) => {
    daemon.subscribe((event) => {
      if (event.type === "verdict") setTimeout(resolve, 100);
    });
  });
  const running = talk.say("loop for ever");
  await acting;
  await talk.say("/stop");
  assert.equal((await running).end, "stopped");
  assert.equal(world.provider.requests.length, 1);
});

test("/stop takes back a question that waits, and its token is void", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(calls(["write-file", { path: `${world.home}/outside.txt`, content: "x" }]));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say("/stop");
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "refused");
  assert.equal(existsSync(`${world.home}/outside.txt`), false);
});

test("/stop stops what waits in the queue of its session too", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const first = talk.say("one");
  await world.provider.reached(1);
  const second = talk.say("two");
  while (named(talk.events, "accepted").length < 2) await new Promise((resolve) => setImmediate(resolve));
  await talk.say("/stop");
  assert.deepEqual([(await first).end, (await second).end], ["stopped", "stopped"]);
  assert.equal(world.provider.requests.length, 1);
});

test("words that were taken back before they began stand in the history as such, and are not told as said when the session is continued", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const first = talk.say("one");
  await world.provider.reached(1);
  const second = talk.say("two");
  while (named(talk.events, "accepted").length < 2) await new Promise((resolve) => setImmediate(resolve));
  await talk.say("/stop");
  await Promise.all([first, second]);
  while (named(talk.events, "stopped").length < 2) await new Promise((resolve) => setImmediate(resolve));
  const reply = await daemon.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said");
  assert.match(reply.text, /^You: one\n[\s\S]*\n\nYou: two\nTaken back before it began: two$/);
  assert.equal((await daemon.describeSession(talk.session)).last?.words.text, "one");
});

test("/stop where nothing runs says so", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  assert.match((await (await talkTo(daemon)).say("/stop")).text, /Nothing was running/);
});

test("/stop of one session leaves another alone", async (t) => {
  const world = await makeWorld(t, [
    { when: "first session", fault: "hang" },
    { when: "second session", text: "Undisturbed.", pauseMs: 50 },
  ]);
  await using daemon = await world.open();
  const [one, two] = [await talkTo(daemon), await talkTo(daemon)];
  const first = one.say("I am the first session");
  const second = two.say("I am the second session");
  await world.provider.reached(2);
  await one.say("/stop");
  assert.equal((await first).end, "stopped");
  assert.equal((await second).text, "Undisturbed.");
});

test("the first Ctrl-C in ask stops the turn, and the exit code is 1", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }]);
  const done = await world.run(["ask", "think for ever"], {
    begun: ({ signal }) => void world.provider.reached(1).then(() => signal("SIGINT")),
  });
  assert.equal(done.code, 1);
  assert.match(done.err, /Stopping\. Press Ctrl-C again to leave\.[\s\S]*stopped: Stopped\./);
});

test("SIGTERM lets a model call that is paid for come to its end, and the answer is shown", async (t) => {
  const world = await makeWorld(t, [{ text: "Just in time.", pauseMs: 100 }]);
  const done = await world.run(["ask", "take your time"], {
    begun: ({ signal }) => void world.provider.reached(1).then(() => signal("SIGTERM")),
  });
  assert.match(done.err, /Unfinished work is saved and continues at the next start\./);
  assert.equal(done.out, "Just in time.\n");
});

test("what does not end while the agent closes stays on disk, and goes on at the next start", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "Hello again." }]);
  const before = await world.open();
  const talk = await talkTo(before);
  const hanging = talk.say("think for ever");
  await world.provider.reached(1);
  await before.drain(20);
  assert.equal((await hanging).end, "thinking");
  await before[Symbol.asyncDispose]();
  await using daemon = await world.open();
  await daemon.whenSettled((await hanging).turn);
  assert.deepEqual(
    (await daemon.undelivered(talk.session)).map(({ text }) => text),
    ["Hello again."],
  );
});

test("while the agent closes nothing new is taken in, and the person is told", async (t) => {
  const world = await makeWorld(t);
  const daemon = await world.open();
  const talk = await talkTo(daemon);
  await daemon.drain(0);
  const said = await talk.say("hello");
  assert.deepEqual([said.end, said.code], ["refused", "closing"]);
  await daemon[Symbol.asyncDispose]();
});
