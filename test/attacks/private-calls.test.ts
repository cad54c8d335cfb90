import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, explanation, makeWorld, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

const word = "wombats4711";
const readDiary = calls(["read-file", { path: "../memex/diary.org" }]);
const isTold = (world: AgentWorld): boolean =>
  world.provider.requests.some(({ body }) => body.includes(word));

/** A world with a private note, a local provider that plays these steps, and a hosted one. */
async function worldOf(t: TestContext, steps: Parameters<typeof startLoopbackProvider>[0]) {
  const near = await startLoopbackProvider(steps);
  t.after(() => near.close());
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "ollama,loop",
    OLLAMA_BASE_URL: `${near.url}/v1`,
  });
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "diary.org"), `* Doctor :@personal:\n${word} in the left knee\n`);
  writeFileSync(join(memex, "tasks.org"), "* TODO Call\n* Other\n");
  writeFileSync(world.path("f.txt"), "hello\n");
  return { world, near };
}

test("neither the name of a tool that a local model made up nor the id of a call tells a hosted model of a private text", async (t) => {
  const read = { id: word, name: "read-file", arguments: { path: "f.txt", explanation } };
  const made = { id: "call-1", name: `tell_about_${word}`, arguments: { message: "x", explanation } };
  const { world } = await worldOf(t, [readDiary, { calls: [read, made] }, { repeat: true, status: 401 }]);
  world.provider.add({ text: "Done." });
  await using agent = await world.open();
  await (await talkTo(agent)).say("What does my diary say about the doctor?");
  const [request] = world.provider.requests;
  assert.ok(request !== undefined, "control: the hosted model was asked");
  assert.equal(isTold(world), false);
  const names = [...request.body.matchAll(/"function":\{"name":"([^"]*)","arguments"/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(names, ["read-file", "read-file", "withheld"]);
  const ids = (field: string): readonly string[] =>
    [...request.body.matchAll(new RegExp(`"${field}":"(call[^"]*)"`, "g"))].map(([, id]) => id ?? "");
  assert.equal(new Set(ids("tool_call_id")).size, 3);
  assert.deepEqual(ids("id"), ids("tool_call_id"), "each result follows its call");
});
