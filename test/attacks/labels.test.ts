import assert from "node:assert/strict";
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
