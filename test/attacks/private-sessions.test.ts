import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const fails: Step = { status: 500, repeat: true };

/** Ways from a private session to another model: what is said next, and what the local model does then. */
const ways: readonly (readonly [string, readonly string[], readonly Step[]])[] = [
  ["a model that the owner chose", ["/model loop", "go on"], []],
  ["a provider that stands in", ["go on"], [fails]],
  ["a past that was compacted", ["/compact", "go on"], [fails]],
  [
    "a sub-task",
    ["go on"],
    [calls(["delegate", { tasks: [{ task: "say how the knee of heliotrope is", tools: [] }] }]), fails],
  ],
  ["a consensus", ["remove it"], [calls(["shell", { cmd: "rm diary.org" }]), { text: "Done." }]],
];

test("what a private session said reaches no model that is not local, on whichever way", async (t) => {
  for (const [name, said, steps] of ways)
    await t.test(name, async (each) => {
      const remote = await makeWorld(each, [{ text: "Remote.", repeat: true }]);
      const knee = "The knee of heliotrope hurts since the long walk in May.";
      const local = await makeWorld(each, [calls(["read-file", { path: "diary.org" }]), { text: knee }]);
      writeFileSync(remote.path("diary.org"), `* Doctor :@personal:\n${knee}\n`);
      await using daemon = await remote.open({
        PROVIDER_CASCADE: "ollama,loop",
        OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
        CONSENSUS_MODELS: "loop/second",
      });
      const talk = await talkTo(daemon);
      assert.equal((await talk.say("what does my diary say?")).text, knee);
      local.provider.add(...steps);
      for (const words of said) await talk.say(words);
      assert.ok(remote.provider.requests.length > 0, "the other model was asked");
      for (const index of remote.provider.requests.keys())
        assert.doesNotMatch(sent(remote, index), /heliotrope|long walk/);
    });
});
