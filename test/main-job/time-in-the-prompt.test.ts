import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld, sent, talkTo } from "../agent-world.ts";

const minute = 60_000;

test("each prompt tells the time of day, how long the session has lasted, and the next appointments", async (t) => {
  const clock = { now: new Date(2026, 4, 5, 9, 30).getTime() };
  t.mock.method(Date, "now", () => clock.now);
  const world = await makeWorld(t);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(
    join(world.home, "memex", "plan.org"),
    "* Dentist\n<2026-05-05 Tue 11:00>\n* Choir\n<2026-05-04 Mon 19:00>\n",
  );
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const told: string[] = [];
  for (const later of [0, 95 * minute]) {
    clock.now += later;
    world.provider.add({ text: "Hello." });
    await talk.say("what is next?");
    const prompt = sent(world, told.length);
    told.push(prompt.slice(prompt.lastIndexOf("TIME:")));
  }
  assert.match(told[0] ?? "", /TIME: Tue 2026-05-05 09:30 UTC\S*\. Session: 0 min/);
  assert.match(told[0] ?? "", /NEXT: [^.]*11:00 Dentist/);
  assert.doesNotMatch(told[0] ?? "", /Choir/);
  assert.match(told[1] ?? "", /11:05 UTC\S*\. Session: 1 h 35 min/);
  assert.doesNotMatch(told[1] ?? "", /Dentist/);
});
