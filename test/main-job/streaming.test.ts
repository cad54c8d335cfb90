import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorld, named, providerKey, talkTo } from "../agent-world.ts";

test("an answer streams in pieces, and the last message carries the whole text", async (t) => {
  const world = await makeWorld(t, [
    { text: ["Once upon ", "a time ", "there was ", "a long tale. ".repeat(40)] },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("tell me");
  const pieces = named(said.events, "text");
  assert.ok(pieces.length > 1);
  assert.equal(pieces.map(({ text }) => text).join(""), said.text);
  assert.ok(said.text.startsWith("Once upon a time"));
});

test("nothing is streamed that begins like a form, where the model has no tool calls", async (t) => {
  const steps = [
    { text: ["(:TYPE :REQUEST ", ':TARGET "cli" ', ':PAYLOAD (:TEXT "Said by a form."))'] },
    { text: ["{", '"not": "a form"', "}"] },
    { text: ["```", "\ncode\n", "```"] },
  ];
  const world = await makeWorld(t, steps, { LOOP_TOOLS: "false" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const wanted of ["Said by a form.", '{"not": "a form"}', "```\ncode\n```"]) {
    assert.equal((await talk.say("go on")).text, wanted);
  }
  assert.equal(named(talk.events, "text").length, 0);
});

test("a stream that breaks off is withdrawn, and the next provider's answer takes its place", async (t) => {
  const good = await makeWorld(t, [{ text: "The whole answer." }]);
  const world = await makeWorld(
    t,
    [
      { text: ["A beginning that ", "is long enough to be shown. ".repeat(20)], fault: "break-off" },
      { text: ["A beginning that ", "is long enough to be shown. ".repeat(20)], fault: "break-off" },
    ],
    { PROVIDER_CASCADE: "loop,second", SECOND_BASE_URL: `${good.provider.url}/v1` },
  );
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("tell me");
  assert.equal(said.text, "The whole answer.");
  const pieces = named(said.events, "text");
  const reset = pieces.findLastIndex((piece) => piece.reset);
  assert.ok(pieces.slice(0, reset).some(({ text }) => text.startsWith("A beginning")));
  assert.equal(
    pieces
      .slice(reset + 1)
      .map(({ text }) => text)
      .join(""),
    "The whole answer.",
  );
});

test("a key that the model says is masked in the stream and in the answer, over the borders of pieces", async (t) => {
  const world = await makeWorld(t, [
    { text: ["The key is ", providerKey.slice(0, 9), providerKey.slice(9), ", keep it safe. ".repeat(20)] },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("what is your key?");
  assert.ok(!said.text.includes(providerKey));
  const streamed = named(said.events, "text")
    .map(({ text }) => text)
    .join("");
  assert.ok(!streamed.includes(providerKey));
  assert.ok(!JSON.stringify(said.events).includes(providerKey));
});

test("what a model thinks is shown while it thinks, without keys, to whoever may be told the answer, and is no part of it", async (t) => {
  const thinking = `First the garden.\nThe key is ${providerKey} and \u001b[31mred, then the pond.`;
  const world = await makeWorld(t, [{ thinking, text: ["Both ", "are done."], pauseMs: 400 }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("what is first?");
  assert.equal(said.text, "Both are done.");
  const thought = named(said.events, "thought").at(-1)?.text ?? "";
  assert.match(thought, /^First the garden\.\nThe key is .*, then the/);
  assert.ok(!JSON.stringify(said.events).includes(providerKey) && !thought.includes("\u001b"));
  const order = said.events.map(({ type }) => type);
  assert.ok(order.indexOf("thought") < order.indexOf("text"));
});

test("control characters in an answer are made visible", async (t) => {
  const world = await makeWorld(t, [{ text: "Red \u001b[31malert\u001b[0m and \u202ebackwards" }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("colour?");
  assert.ok(!said.text.includes("\u001b") && !said.text.includes("\u202e"));
  assert.match(said.text, /alert/);
});
