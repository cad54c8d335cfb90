import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, makeWorld, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
/** Words that stand in a private note, and words that are private by their tag alone. */
const messages = {
  known: `Please translate: ${passage}. Thanks!`,
  tagged: "My lump in my left lung is wombat :@personal:",
};
const refuses: Step = { status: 400, body: '{"error":{"message":"bad"}}', repeat: true };

/** A world with two hosted providers, `loop` and `other`. */
async function withTwo(t: TestContext, steps: readonly Step[]) {
  const other = await makeWorld(t, [{ text: "Other.", repeat: true }]);
  const world = await makeWorld(t, steps);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex/health.org"), `* Health :@personal:\n${passage}\n`);
  const agent = await world.open({
    PROVIDER_CASCADE: "loop,other",
    OTHER_BASE_URL: `${other.provider.url}/v1`,
    OTHER_API_KEY: "k",
    OTHER_MODEL: "m",
    UNPRICED_MODELS: "allow",
  });
  t.after(() => agent[Symbol.asyncDispose]());
  return { agent, world, other };
}

function got({ provider }: AgentWorld): readonly boolean[] {
  return provider.requests.map(({ body }) => body.includes("lump in my left lung"));
}

test("what is sent to one provider goes to no other that stands in for it, until its owner names that one", async (t) => {
  const { agent, world, other } = await withTwo(t, [refuses]);
  for (const [kind, words] of Object.entries(messages)) {
    const talk = await talkTo(agent, kind);
    assert.match((await talk.say(words)).text, /loop is not local/);
    const before = other.provider.requests.length;
    const held = await talk.say("/send");
    assert.ok(got(world).includes(true), kind);
    assert.equal(other.provider.requests.length, before, kind);
    assert.equal(held.code, "private-words");
    assert.match(
      held.text,
      /other: does not get what you sent to loop with .*loop: answered 400[\s\S]*\/send .*to other/,
    );
    assert.equal((await talk.say("And what is a wombat?")).text, "Other.");
    assert.deepEqual(got(other).slice(before), [false], "in a later turn of the session");
    await talk.say(words);
    const again = await talk.say("/send");
    assert.match(again.text, /\/send .*to other/);
    assert.equal((await talk.say("/send")).text, "Other.");
    assert.equal(got(other).at(-1), true, kind);
  }
});

test("what is sent to one provider goes to no other that the owner chooses later", async (t) => {
  const { agent, world, other } = await withTwo(t, [{ text: "Loop.", repeat: true }]);
  for (const [kind, words] of Object.entries(messages)) {
    const talk = await talkTo(agent, kind);
    await talk.say(words);
    assert.equal((await talk.say("/send")).text, "Loop.");
    assert.equal(got(world).at(-1), true, kind);
    assert.equal((await talk.say("again?")).text, "Loop.");
    assert.equal(got(world).at(-1), true, "the one that has them is told again");
    await talk.say("/model other");
    assert.equal((await talk.say("and now in German")).text, "Other.");
    assert.equal(got(other).at(-1), false, kind);
    await talk.say("/compact");
    assert.equal((await talk.say("and now in Czech")).text, "Other.");
    assert.deepEqual(got(other).includes(true), false, kind);
  }
});

test("a yes is for the provider that was named, whichever is asked when it comes", async (t) => {
  const { agent, world, other } = await withTwo(t, [{ text: "Loop.", repeat: true }]);
  for (const [kind, words] of Object.entries(messages)) {
    const talk = await talkTo(agent, kind);
    assert.match((await talk.say(words)).text, /loop is not local/);
    await talk.say("/model other");
    assert.match((await talk.say("/send")).text, /^Nothing was sent\..* other is not local/);
    assert.equal(got(other).includes(true), false, kind);
    assert.equal(world.provider.requests.length, 0);
  }
  const talk = await talkTo(agent, "known");
  assert.equal((await talk.say("/send")).text, "Other.");
  assert.deepEqual(got(other), [true]);
});

test("what came with words that are sent to one provider goes to no other either", async (t) => {
  const { agent, world, other } = await withTwo(t, [{ text: "Loop.", repeat: true }]);
  const talk = await talkTo(agent);
  const piped = "the kiwi weighs two kilograms";
  const said = await agent.say({ session: talk.session, text: messages.tagged, source: "cli", piped });
  assert.ok(said.kind === "turn");
  await agent.whenSettled(said.turn);
  assert.equal(world.provider.requests.length, 0);
  assert.equal((await talk.say("/send")).text, "Loop.");
  assert.match(world.provider.requests[0]?.body ?? "", /the kiwi weighs/);
  await talk.say("/model other");
  assert.equal((await talk.say("and now in German")).text, "Other.");
  assert.doesNotMatch(other.provider.requests[0]?.body ?? "", /kiwi/);
});
