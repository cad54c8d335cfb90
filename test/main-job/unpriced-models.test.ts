import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorld, talkTo } from "../agent-world.ts";

test("a turn whose only model has no known price names the settings that help, and no budget", async (t) => {
  const world = await makeWorld(t, [], { LOOP_BASE_URL: "https://models.invalid/v1" });
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const { end, text } = await talk.say("hi");
  assert.equal(end, "failed");
  assert.match(text, /LOOP_INPUT_PRICE and LOOP_OUTPUT_PRICE .*or UNPRICED_MODELS=allow/);
  assert.doesNotMatch(text, /budget/i);
});
