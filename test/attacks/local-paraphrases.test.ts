import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
/** What a model makes of it: none of its passages stands in the note. */
const paraphrase = "A growth in the chest of the owner became larger by 4 mm this year, as a physician found";

for (const carrier of ["the owner's copy", "a copy with other blanks and line breaks"] as const) {
  test(`what a local model makes of a private passage reaches no other provider, by ${carrier}`, async (t) => {
    const near = await startLoopbackProvider([
      calls(["read-file", { path: "mail.txt" }]),
      calls(["write-file", { path: "summary.txt", content: `${paraphrase}.\n` }]),
      { text: paraphrase },
      { repeat: true, status: 401 },
    ]);
    t.after(() => near.close());
    const world = await makeWorld(t, [], {
      PROVIDER_CASCADE: "ollama,loop",
      OLLAMA_BASE_URL: `${near.url}/v1`,
    });
    mkdirSync(join(world.home, "memex"));
    writeFileSync(join(world.home, "memex/health.org"), `* Health :@personal:\n${passage}\n`);
    const copy = carrier === "the owner's copy" ? passage : passage.replaceAll(/ (?=\w{4})/g, "\n>  ");
    writeFileSync(world.path("mail.txt"), `${copy}\n`);
    world.provider.add({ text: "Hello." });
    {
      await using before = await world.open({ PROVIDER_CASCADE: "loop" });
      await (await talkTo(before)).say("hi");
    }
    // Without its note no private text of the context makes the conversation private.
    rmSync(join(world.home, "memex/health.org"));
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    assert.match((await talk.say("What does mail.txt say?")).text, /growth in the chest/);
    assert.match(readFileSync(world.path("summary.txt"), "utf8"), /growth/);
    world.provider.add({ text: "I do not know." });
    await talk.say("Say it again.");
    world.provider.add(calls(["shell", { cmd: "cat summary.txt" }]), { text: "I do not know." });
    await (await talkTo(daemon)).say("What does summary.txt say?");
    assert.ok(world.provider.requests.length >= 4);
    for (const { body } of world.provider.requests) assert.doesNotMatch(body, /growth in the chest|lump/);
  });
}

test("what a local model says of public text goes to other providers", async (t) => {
  const near = await startLoopbackProvider([
    { text: "It is about the weather." },
    { repeat: true, status: 401 },
  ]);
  t.after(() => near.close());
  const world = await makeWorld(t, [{ text: "Yes." }], {
    PROVIDER_CASCADE: "ollama,loop",
    OLLAMA_BASE_URL: `${near.url}/v1`,
  });
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex/health.org"), `* Health :@personal:\n${passage}\n`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("What is it about?");
  await talk.say("Is it?");
  assert.match(world.provider.requests[0]?.body ?? "", /about the weather/);
});
