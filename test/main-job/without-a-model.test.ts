import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorld, talkTo } from "../agent-world.ts";

test("without a model an action that fails is a failed turn, and its exit code is 1", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  {
    await using daemon = await world.open();
    const said = await (await talkTo(daemon)).say("read missing.txt");
    assert.equal(said.end, "failed");
    assert.match(said.text, /ERROR \[read-file\]/);
  }
  const done = await world.command(["ask", "read missing.txt"]);
  assert.equal(done.code, 1);
});
