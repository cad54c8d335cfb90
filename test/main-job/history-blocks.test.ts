import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

/** So many that blocks of the history are left out; `npm run long` takes 300. */
const turns = process.env["LONG"] === "all" ? 300 : 120;

/** The prompt in the order in which a provider caches it: tools, then messages. */
function promptOf(body: string): string {
  const at = body.indexOf('"tools":');
  return body.slice(at) + body.slice(body.indexOf('"messages":'), at);
}

/** The share of a prompt that begins like the one before it. */
function sharedShare(before: string, prompt: string): number {
  let same = 0;
  while (same < prompt.length && before[same] === prompt[same]) same += 1;
  return same / prompt.length;
}

test(`over ${turns} turns a prompt begins like the one before it, except where a block of history is left out, and recall finds what was`, async (t) => {
  const answer =
    "That is noted, and here are some words about it that make the answer as long as others. ".repeat(3);
  const world = await makeWorld(t, [{ text: answer, repeat: true }], { LOOP_CONTEXT_WINDOW: "32000" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (let turn = 0; turn < turns; turn += 1) {
    const words =
      turn === 3 ? "The kayak of Ottilie hangs in the boathouse of Sorvaer." : `Thought ${turn} of the day.`;
    assert.equal((await talk.say(words)).end, "answered");
  }
  const prompts = world.provider.requests.map(({ body }) => promptOf(body));
  const shares = prompts.slice(1).map((prompt, index) => sharedShare(prompts[index] ?? "", prompt));
  const cuts = shares.filter((share) => share < 0.9).length;
  const sorted = shares.toSorted((a, b) => a - b);
  t.diagnostic(
    `${shares.length} prompts: ${shares.length - cuts} share at least 90 % with the one before, ${cuts} cut a block; ` +
      `median ${((sorted[Math.floor(shares.length / 2)] ?? 0) * 100).toFixed(1)} %, mean ${((shares.reduce((a, b) => a + b, 0) / shares.length) * 100).toFixed(1)} %`,
  );
  assert.ok(cuts > 0 && cuts <= turns / 25, `${cuts} of ${shares.length} prompts begin otherwise`);
  const last = prompts.at(-1) ?? "";
  assert.ok(!last.includes("boathouse") && last.includes("earlier messages of this session are left out"));
  assert.ok(last.includes(`Thought ${turns - 20} of`));
});

test("what was left out of the history is found by recall in the same session", async (t) => {
  const world = await makeWorld(t, [], { LOOP_CONTEXT_WINDOW: "8192" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add({ text: "Noted." });
  await talk.say("The kayak of Ottilie hangs in the boathouse of Sorvaer.");
  for (let turn = 0; turn < 12; turn += 1) {
    world.provider.add({ text: "Some long answer that takes its place in the history. ".repeat(20) });
    await talk.say(`Thought ${turn}`);
  }
  world.provider.add(calls(["recall", { query: "kayak Ottilie" }]), { text: "In Sorvaer." });
  await talk.say("Where does it hang?");
  const before = world.provider.requests.length - 2;
  assert.ok(!sent(world, before).includes("boathouse"), "it is not in the history any more");
  assert.ok(sent(world, before).includes("earlier messages of this session are left out"));
  assert.ok(sent(world, before + 1).includes("boathouse of Sorvaer"));
  const told = named(talk.events, "thinking").filter(({ text }) =>
    /earlier messages are left out/.test(text),
  );
  assert.equal(told.length, 1);
  assert.match(told[0]?.text ?? "", /\/compact.*larger context/);
});

test("the second step of a turn begins with all that the first step sent", async (t) => {
  const world = await makeWorld(t, [
    { text: "Hello." },
    calls(["list-files", {}]),
    { text: "Nothing there." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  await talk.say("what is here?");
  const [, first = "", second = ""] = world.provider.requests.map(({ body }) => body);
  const messages = (body: string) => body.slice(body.indexOf('"messages":'), body.indexOf('],"tools":'));
  assert.ok(messages(second).startsWith(messages(first)));
});
