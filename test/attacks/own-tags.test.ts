import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";

test("a note that the owner tags as private is filed as private, and its words are withheld everywhere", async (t) => {
  const world = await makeWorld(t, [
    calls(["recall", { query: "locker code" }], ["read-file", { path: "../memex/inbox.org" }]),
    { text: "I do not know it." },
    { text: "No." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("/note my locker code is quince-4711 :@personal:");
  assert.match(readFileSync(join(world.home, "memex/inbox.org"), "utf8"), /^\* .* quince-4711 :@personal:$/m);
  assert.equal((await talk.say("what is it?")).text, "I do not know it.");
  await (await talkTo(daemon, "two")).say("do you?");
  for (const index of world.provider.requests.keys()) assert.doesNotMatch(sent(world, index), /quince/);
});

test("a privacy tag counts wherever the owner writes it in a note, and a word that only looks like one does not", async (t) => {
  const world = await makeWorld(t, [
    calls(["read-file", { path: "../memex/inbox.org" }], ["recall", { query: "locker code" }]),
    { text: "I do not know it." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const words of [
    "my locker code\nis quince-4711 :@personal:",
    "my locker code is quince-4711 :@personal:.",
    "my locker code is quince-4711\u00a0:@personal:",
    ":@personal: my locker code is quince-4711",
    "my locker code is quince-4711 (:work:@personal:)",
    "my locker code is quince-4711 #@personal",
  ])
    await talk.say(`/note ${words}`);
  await talk.say("/note the @personal trainer comes at 8");
  const inbox = readFileSync(join(world.home, "memex/inbox.org"), "utf8");
  const titles = inbox.split("\n").filter((line) => line.startsWith("* "));
  assert.equal(titles.filter((line) => line.endsWith(" :@personal:")).length, 6);
  assert.equal(titles.at(-1), "* the @personal trainer comes at 8");
  assert.match(inbox, /^ {2}is quince-4711 :@personal:$/m, "no word of the owner is lost");
  await talk.say("what is it?");
  for (const index of world.provider.requests.keys()) assert.doesNotMatch(sent(world, index), /quince/);
});
