import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

test("a rule that keeps the owner's words from a model keeps them from it in sub-tasks too", async (t) => {
  const delegates = calls(["delegate", { tasks: [{ task: "emus-4711 sum up", tools: [] }] }]);
  const local = await makeWorld(t, [delegates, { text: "Done.", repeat: true }]);
  const world = await makeWorld(t, [{ text: "Loop.", repeat: true }]);
  await using agent = await world.open({
    PROVIDER_CASCADE: "loop,ollama",
    OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
    MODEL_ROUTES: "person: only ollama",
  });
  assert.equal((await (await talkTo(agent)).say("sum up emus-4711")).text, "Done.");
  assert.equal(world.provider.requests.length, 0);
  assert.ok(local.provider.requests.length >= 3, "the sub-task asked the local model");
});
