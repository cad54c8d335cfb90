import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

test("a search says the same whether a private file matches or not, so that no patterns spell it out", async (t) => {
  const world = await makeWorld(t, []);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex/safe.org"), "* Safe :@personal:\nThe PIN is 4711.\n");
  writeFileSync(join(world.home, "memex/open.org"), "* Open\nThe key is under the mat.\n");
  writeFileSync(world.path("copy.txt"), "#+FILETAGS: :@personal:\nThe PIN is 4711.\n");
  const search = (pattern: string, path: string) => ["search-files", { pattern, path }] as const;
  world.provider.add(
    calls(search("PIN is 4[0-7]", "~/memex"), search("PIN is 4[89]", "~/memex")),
    calls(search("PIN is 4[0-7]", "."), search("PIN is 4[89]", ".")),
    calls(search("key is", "~/memex")),
    { text: "Done." },
  );
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("Look.");
  const results = onDatabase(
    world,
    `SELECT body ->> '$.result.outcome.content' AS content FROM messages
     WHERE body ->> '$.role' = 'result' ORDER BY place`,
  ).map(({ content }) => String(content).replace(/"pattern":"[^"]*"/, ""));
  assert.equal(results.length, 5);
  assert.equal(results[0], results[1]);
  assert.equal(results[2], results[3]);
  assert.match(results[0] ?? "", /private notes.*if there are any/);
  assert.match(results[4] ?? "", /under the mat/);
});
