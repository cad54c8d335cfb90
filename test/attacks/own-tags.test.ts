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
