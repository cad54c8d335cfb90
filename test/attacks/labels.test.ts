import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

test("what the agent made does not come back as the owner's own words by way of a tool", async (context) => {
  const world = await makeWorld(context, [
    calls(["write-file", { path: "made-up.example.org", content: "http://made-up.example.org/" }]),
    calls(
      ["list-files", { path: "." }],
      ["search-files", { pattern: "http" }],
      ["read-file", { path: "made-up.example.org" }],
    ),
    { text: "done" },
  ]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("go")).end, "answered");
  const rows = onDatabase(world, "SELECT body FROM messages WHERE body ->> '$.role' = 'result'");
  assert.equal(rows.length, 4);
  for (const { body } of rows) assert.doesNotMatch(String(body), /"integrity":"user"/);
});

test("what others wrote is theirs again when a later session recalls what was said of it", async (context) => {
  const world = await makeWorld(context, [
    calls(["read-file", { path: "page.txt" }]),
    { text: "It says: the gate code is quince-4711." },
    calls(["recall", { query: "gate code quince" }]),
    calls(["remember", { text: "@1.found[0].text" }]),
    { text: "Kept." },
  ]);
  writeFileSync(world.path("page.txt"), "The gate code is quince-4711.\n");
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("what does the page say?")).end, "answered");
  assert.equal((await (await talkTo(daemon)).say("keep the code of the gate")).text, "Kept.");
  const inbox = readFileSync(join(world.home, "memex/inbox.org"), "utf8");
  assert.match(inbox, /quince-4711\.\n:PROPERTIES:\n(?:.*\n)*:ORIGIN: +untrusted/);
});

test("the owner's own words that a recall finds beside words of others stay the owner's", async (context) => {
  const world = await makeWorld(context, [
    calls(["read-file", { path: "page.txt" }]),
    { text: "It says: quince and medlar." },
    calls(["recall", { query: "quince medlar" }]),
    calls(["remember", { text: "@1.found[1].text" }]),
    { text: "Kept." },
  ]);
  writeFileSync(world.path("page.txt"), "Plant quince and medlar.\n");
  await using daemon = await world.open();
  const words = "is the quince or the medlar named on the page?";
  assert.equal((await (await talkTo(daemon)).say(words)).end, "answered");
  assert.equal((await (await talkTo(daemon)).say("keep what I asked about the fruit")).text, "Kept.");
  const inbox = readFileSync(join(world.home, "memex/inbox.org"), "utf8");
  assert.ok(inbox.includes(words), inbox);
  assert.match(inbox, /:ORIGIN: +user\n/);
});
