import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, named, type Talk, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

const news = ({ events }: Awaited<ReturnType<Talk["say"]>>) =>
  named(events, "thinking").flatMap(({ text }) => (text === "" ? [] : [text]));

/** A world whose settings file orders the providers, with `openai` as a second one that has an address and a key. */
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
