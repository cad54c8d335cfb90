import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { lookup } from "node:dns/promises";
import { test } from "node:test";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";

/** Counts every look-up that this process asks of its resolver. */
function countLookUps() {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/^(?:GETADDRINFO|GETNAMEINFO|QUERY)/.test(type)) count += 1;
    },
  }).enable();
  return { count: () => count, [Symbol.dispose]: () => hook.disable() };
}

test("no name is looked up for a question that nobody answers or that is denied", async (t) => {
  using lookUps = countLookUps();
  await lookup("localhost");
  assert.equal(lookUps.count(), 1, "look-ups are seen");
  const fetchIt = calls(["fetch-url", { url: "http://what-the-model-knows.any.invalid/" }]);
  const world = await makeWorld(t, [fetchIt, { text: "Not fetched." }, fetchIt]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("fetch it")).end, "approval-required");
  await talk.say(`/deny ${talk.token()}`);
  assert.equal((await talk.say("again")).end, "approval-required");
  assert.equal(named(talk.events, "verdict").length, 2);
  assert.equal(lookUps.count(), 1);
});

test("localhost is fetched after the owner's yes, and no resolver is asked", async (t) => {
  using lookUps = countLookUps();
  const world = await makeWorld(t);
  const url = `http://localhost:${world.provider.port}/page`;
  world.provider.add(calls(["fetch-url", { url }]), { text: "Fetched." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("fetch it");
  assert.match(asked.text, /this machine \(loopback\)/);
  assert.ok(world.provider.requests.every(({ path }) => path !== "/page"));
  await talk.say(`/approve ${talk.token()}`);
  assert.ok(world.provider.requests.some(({ path }) => path === "/page"));
  assert.equal(lookUps.count(), 0);
});

test("an address that the owner types is read without a question, and one that the model makes of it asks", async (t) => {
  const fetching = (url: string) => calls(["fetch-url", { url }]);
  const world = await makeWorld(t, [
    fetching("http://named-by-the-owner.any.invalid/page"),
    fetching("http://named-by-the-owner.any.invalid/page?q=stolen"),
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("Read http://named-by-the-owner.any.invalid/page for me");
  assert.equal(said.end, "approval-required");
  assert.deepEqual(
    named(talk.events, "verdict").map(({ verdict }) => verdict),
    ["pass", "ask"],
  );
});
