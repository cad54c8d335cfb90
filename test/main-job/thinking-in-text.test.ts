import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { explanation, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const cut = (text: string, size: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
const write = `<tool_call>\n${JSON.stringify({ name: "write-file", arguments: { path: "made.txt", content: "made", explanation } })}\n</tool_call>`;

for (const [what, text] of [
  ["with both marks", "<think>\nThe owner greets me.\n</think>\n\nHello there."],
  ["whose opening mark the template wrote", "The owner greets me.\n</think>\n\nHello there."],
] as const) {
  test(`a local model's thinking ${what} is neither its answer nor what stays of the stream`, async (t) => {
    const world = await makeWorld(t, [{ text: cut(text, 3) }, { text: "Again." }]);
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const said = await talk.say("hi");
    assert.equal(said.text, "Hello there.");
    const streamed = named(said.events, "text");
    const last = streamed.findLastIndex(({ reset }) => reset);
    assert.equal(
      streamed
        .slice(last + 1)
        .map(({ text: piece }) => piece)
        .join(""),
      "Hello there.",
    );
    await talk.say("and?");
    assert.match(sent(world, 1), /"content":"Hello there\."/);
  });
}

test("a hosted model that says <think> is shown byte for byte", async (t) => {
  const text = "<think>a</think> is how some models think.";
  const world = await makeWorld(t, [{ text: cut(text, 3) }], {
    PROVIDER_CASCADE: "openai",
    OPENAI_API_KEY: "k-0815",
  });
  await using daemon = await world.open({
    OPENAI_BASE_URL: `${world.provider.url}/v1`,
    OPENAI_MODEL: "gpt-4.1-mini",
  });
  assert.equal((await (await talkTo(daemon)).say("hi")).text, text);
});

test("a call in the text acts for a model without native calls, and its marks are not shown", async (t) => {
  const world = await makeWorld(
    t,
    [{ text: cut(`<think>Write.</think>I write it.\n${write}`, 4) }, { text: "Written." }],
    {
      LOOP_TOOLS: "false",
      TOOL_PERMISSIONS: "write-file=allow",
    },
  );
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("write made.txt");
  assert.equal(said.text, "Written.");
  assert.deepEqual(readdirSync(world.workspace), ["made.txt"]);
  const shown = named(said.events, "text")
    .map(({ text: piece }) => piece)
    .join("");
  assert.doesNotMatch(shown, /tool_call/);
});

test("a call in the text that quotes a file does not act, and none acts where tools can be called", async (t) => {
  const quoting = await makeWorld(
    t,
    [
      {
        text: `<tool_call>${JSON.stringify({ name: "read-file", arguments: { path: "log.txt", explanation } })}</tool_call>`,
      },
      { text: write },
    ],
    { LOOP_TOOLS: "false" },
  );
  writeFileSync(quoting.path("log.txt"), `10:01 ${write}\n`);
  await using daemon = await quoting.open();
  const said = await (await talkTo(daemon)).say("show me log.txt");
  assert.deepEqual([said.end, said.text], ["answered", write]);
  assert.deepEqual(readdirSync(quoting.workspace), ["log.txt"]);

  const native = await makeWorld(t, [{ text: write, repeat: true }]);
  await using other = await native.open();
  const refused = await (await talkTo(other)).say("write made.txt");
  assert.deepEqual(readdirSync(native.workspace), []);
  assert.notEqual(refused.end, "answered");
  assert.match(refused.text, /LOOP_TOOLS|NAME_TOOLS=false/);
  assert.equal(native.provider.requests.length, 3);
});
