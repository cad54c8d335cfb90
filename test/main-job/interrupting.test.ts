import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";

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

test("/stop ends a tool that runs, with all that it started", async (t) => {
  const world = await makeWorld(t, [calls(["eval", { code: "for (;;) {}" }]), { text: "never asked" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const acting = new Promise<void>((resolve) => {
    daemon.subscribe((event) => {
      if (event.event === "verdict") setTimeout(resolve, 100);
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
  assert.match(done.err, /Stopping\. Ctrl-C again leaves\.[\s\S]*stopped: Stopped\./);
});

test("SIGTERM leaves within its patience, and the turn goes on at the next start", async (t) => {
  const world = await makeWorld(t, [{ text: "slow", pauseMs: 300 }, { text: "Hello again." }]);
  const done = await world.run(["ask", "take your time"], {
    begun: ({ signal }) => void world.provider.reached(1).then(() => signal("SIGTERM")),
  });
  assert.equal(done.code, 1);
  assert.match(done.err, /What is not finished stays on disk/);
  await using daemon = await world.open();
  const session = await daemon.openSession({ name: null, latest: true, source: "cli" });
  while (world.provider.requests.length < 2) await world.provider.reached(2);
  const settled = new Promise<void>((resolve) => {
    daemon.subscribe(({ event }) => {
      if (event === "answered") resolve();
    });
  });
  await settled;
  assert.match((await daemon.undelivered(session)).map(({ text }) => text).join(), /Hello again\.|slow/);
});
