import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, named, type Talk, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

const news = ({ events }: Awaited<ReturnType<Talk["say"]>>) =>
  named(events, "thinking").flatMap(({ text }) => (text === "" ? [] : [text]));

/**
 * A world whose settings file orders the providers, with `openai` as a second one that has an address and a
 * key.
 */
async function ordered(
  t: TestContext,
  { order, steps = [], env = {} }: { order: string; steps?: Parameters<typeof makeWorld>[1]; env?: object },
) {
  const spare = await startLoopbackProvider([
    { when: "make it", ...calls(["shell", { cmd: "touch made" }]) },
    { text: "Spare.", repeat: true },
  ]);
  t.after(() => spare.close());
  const world = await makeWorld(t, [...steps, { text: "Loop.", repeat: true }], {
    PROVIDER_CASCADE: undefined,
    OPENAI_BASE_URL: `${spare.url}/v1`,
    OPENAI_API_KEY: "unused-spare-key-of-this-test",
    OPENAI_MODEL: "m",
    ...env,
  });
  mkdirSync(world.configuration, { recursive: true });
  const write = (text: string) => writeFileSync(join(world.configuration, ".env"), text);
  write(`PROVIDER_CASCADE=${order}\n`);
  return { world, spare, write };
}

test("a provider that has a key and that the order does not name gets nothing, whatever rules and CONSENSUS_MODELS say", async (t) => {
  const { world, spare } = await ordered(t, {
    order: "loop",
    steps: [calls(["shell", { cmd: "rm -r made" }])],
    env: { MODEL_ROUTES: "hard: openai", CONSENSUS_MODELS: "openai", CONSENSUS_EFFECTS: "delete" },
  });
  mkdirSync(world.path("made"));
  writeFileSync(world.path("made/x"), "x");
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const asked = await talk.say("please tidy up");
  assert.equal(asked.end, "approval-required");
  const [{ reason } = { reason: "" }] = named(asked.events, "approval-required");
  assert.match(reason, /openai was not asked: PROVIDER_CASCADE does not name it/);
  await talk.say(`/deny ${talk.token()}`);
  assert.equal((await (await talkTo(agent, "two")).say("Prove it step by step")).text, "Loop.");
  assert.equal(spare.requests.length, 0);
});

test("a model that a session chose is dropped with its provider, and said to be, also after a new start; a turn under way keeps it", async (t) => {
  const { world, spare, write } = await ordered(t, { order: "loop,openai" });
  {
    await using agent = await world.open();
    const talk = await talkTo(agent, "one");
    await (await talkTo(agent, "two")).say("/model openai");
    await talk.say("/model openai");
    assert.equal((await talk.say("make it")).end, "approval-required");
    await talk.say("/model order loop");
    assert.match((await talk.say("/model")).text, /^Asked in this order:\n {2}1 {2}loop/);
    const { length } = spare.requests;
    await talk.say(`/approve ${talk.token()}`);
    assert.equal(spare.requests.length, length + 1, "the turn under way goes on with its own model");
    const next = await talk.say("hi");
    assert.equal(next.text, "Loop.");
    assert.match(news(next).join("\n"), /openai, which this session chose, is not in PROVIDER_CASCADE/);
    assert.deepEqual(news(await talk.say("hi")), [], "it is said once");
  }
  const { length } = spare.requests;
  write("PROVIDER_CASCADE=loop\n");
  await using agent = await world.open();
  const talk = await talkTo(agent, "two");
  const next = await talk.say("hi");
  assert.equal(next.text, "Loop.");
  assert.match(news(next).join("\n"), /openai, which this session chose, is not in PROVIDER_CASCADE/);
  assert.equal(spare.requests.length, length);
});

test("the small model's lines and an attached file go by the order of now", async (t) => {
  const { world, spare } = await ordered(t, {
    order: "openai,loop",
    env: { COGNITION_MODEL: "openai", OPENAI_LOCAL: "true" },
  });
  mkdirSync(join(world.home, "memex"));
  const file = join(world.home, "memex", "knee.org");
  writeFileSync(file, "#+FILETAGS: :personal:\n* Knee\nThe knee is magenta and hurts on stairs in winter.\n");
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("We decided to take the copper pipe.");
  assert.match((await talk.say(`/attach ${file}`)).text, /openai\/m/);
  await talk.say("/model order loop");
  assert.doesNotMatch((await talk.say(`/attach ${file}`)).text, /openai/);
  assert.match((await talk.say("/jobs run scribe")).text, /proposed/);
  const asked = [...world.provider.requests, ...spare.requests].filter(({ body }) =>
    /for a diary/.test(body),
  );
  assert.equal(asked.length, 0, "without a small model nothing is sent");
});

test("an agent that started without a model knows of the one that was set since", async (t) => {
  const { world, spare } = await ordered(t, { order: "" });
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const describes = async () => (await agent.describeSession(talk.session)).hasModel;
  assert.equal(await describes(), false);
  await talk.say("/model order openai");
  assert.equal(await describes(), true);
  assert.doesNotMatch((await talk.say("/skill new dice roll two dice for me")).text, /No model is set up/);
  assert.ok(spare.requests.length > 0);
});

test("a provider that the owner described is put into the order without a new start, and one without its key is not", async (t) => {
  const { world, spare, write } = await ordered(t, {
    order: "loop",
    env: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined },
  });
  write(
    `PROVIDER_CASCADE=loop\nMY_OWN_BASE_URL=${spare.url}/v1\nMY_OWN_API_KEY=unused-own-key-of-this-test\n`,
  );
  await using agent = await world.open();
  const talk = await talkTo(agent);
  assert.match((await talk.say("/model order openai")).text, /openai is not set up.* Set up: loop, my-own\./);
  assert.match((await talk.say("/model order my-own,loop")).text, /in this order: my-own, loop\.$/);
  assert.equal((await talk.say("hi")).text, "Spare.");
});

test("a settings file without the order keeps the former one, an empty order asks no model, and each is said", async (t) => {
  const { world, write } = await ordered(t, { order: "loop" });
  await using agent = await world.open();
  const talk = await talkTo(agent);
  write("");
  const kept = await talk.say("hi");
  assert.equal(kept.text, "Loop.");
  assert.match(news(kept).join(), /in this order: loop\. PROVIDER_CASCADE is not in .*\.env any more/);
  write("PROVIDER_CASCADE=\n");
  const none = await talk.say("hi");
  assert.match(none.text, /No model is set up/);
  assert.deepEqual(news(none), ["From this turn on no model is asked."]);
  assert.deepEqual(news(await talk.say("hi")), [], "it is said once");
});
