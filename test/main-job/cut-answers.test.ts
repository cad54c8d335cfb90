import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, explanation, makeWorld, sent, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

/** A provider of each protocol, at the test server. */
const protocols = ["loop", "openai", "anthropic", "google"] as const;
type Name = (typeof protocols)[number];

const models: Readonly<Record<Name, string>> = {
  loop: "m",
  openai: "gpt-5.6-terra",
  anthropic: "claude-sonnet-5-5",
  google: "gemini-3.8-flash",
};

async function worldOf(t: TestContext, steps: readonly Step[]): Promise<AgentWorld> {
  return makeWorld(t, steps, { TOOL_PERMISSIONS: "write-file=allow,edit-file=allow" });
}

function settingsFor(world: AgentWorld, name: Name, more: Readonly<Record<string, string>> = {}) {
  const prefix = name.toUpperCase();
  const own = Object.entries(more).map(([key, value]) => [`${prefix}_${key}`, value] as const);
  return {
    PROVIDER_CASCADE: name,
    [`${prefix}_BASE_URL`]: `${world.provider.url}/v1`,
    [`${prefix}_API_KEY`]: "key",
    ...Object.fromEntries(own),
  };
}

/** The arguments of a call that writes a long file, cut in the middle. */
const cutArguments = `{"path":"long.txt","content":"${"line of the file\\n".repeat(600)}`;

for (const name of protocols) {
  test(`${name}: a reply that was cut at its limit is continued, and the pieces are one answer`, async (t) => {
    const world = await worldOf(t, [
      { text: "The tale begins wi", finish: "length" },
      { text: "th a boat, and go", finish: "length" },
      { text: "es on to its end." },
    ]);
    await using daemon = await world.open(settingsFor(world, name));
    const said = await (await talkTo(daemon)).say("tell me a tale");
    assert.equal(said.text, "The tale begins with a boat, and goes on to its end.");
    assert.ok(sent(world, 1).includes("The tale begins wi") && sent(world, 2).includes("th a boat, and go"));
    assert.equal(world.provider.requests.length, 3);
  });

  test(`${name}: a reply that is cut again and again is told as cut, with its limit and the setting that raises it`, async (t) => {
    const world = await worldOf(t, [{ text: "On and on. ", finish: "length", repeat: true }]);
    await using daemon = await world.open(
      settingsFor(world, name, { MAX_OUTPUT: "1000", CONTEXT_WINDOW: "30000" }),
    );
    const { text } = await (await talkTo(daemon)).say("tell me a tale");
    assert.match(text, /^(?:On and on\. ){4}/);
    assert.match(
      text,
      new RegExp(
        `cut 4 times at its limit of \\d+ tokens.*Say \`continue\`.*${name.toUpperCase()}_MAX_OUTPUT`,
      ),
    );
    assert.equal(world.provider.requests.length, 4);
  });
}

// Google sends calls as a whole.
for (const name of ["loop", "openai", "anthropic"] as const) {
  test(`${name}: a call that was cut goes back to the model with its real reason, and is not run`, async (t) => {
    const world = await worldOf(t, [
      { text: "I write.", calls: [{ name: "write-file", arguments: cutArguments }], finish: "length" },
      { text: "Then in pieces." },
    ]);
    await using daemon = await world.open(settingsFor(world, name));
    assert.equal((await (await talkTo(daemon)).say("write the long file")).text, "Then in pieces.");
    assert.match(
      sent(world, 1),
      /reached its limit of \d+ tokens in the middle of the call of .{0,3}write-file.*smaller pieces/,
    );
    assert.throws(() => readFileSync(world.path("long.txt")), { code: "ENOENT" });
  });
}

test("a call of which nothing arrived but its beginning goes back too, and is not asked for again as an empty answer", async (t) => {
  const world = await worldOf(t, [
    { calls: [{ name: "list-files", arguments: "" }], finish: "length" },
    { text: "Shorter." },
  ]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("list")).text, "Shorter.");
  assert.match(sent(world, 1), /in the middle of/);
});

test("a form that was cut goes back with its real reason", async (t) => {
  const form = '{"target": "tool", "payload": {"tool": "write-file", "args": {"path": "a", "content": "long ';
  const world = await worldOf(t, [{ text: form, finish: "length" }, { text: "Shorter." }]);
  await using daemon = await world.open({ LOOP_TOOLS: "false" });
  assert.equal((await (await talkTo(daemon)).say("write")).text, "Shorter.");
  assert.match(sent(world, 1), /in the middle of a form.*smaller pieces/);
});

test("a whole call in an answer that was cut after it is run", async (t) => {
  const world = await worldOf(t, [
    { ...calls(["read-file", { path: "a.txt" }]), finish: "length" },
    { text: "Read." },
  ]);
  writeFileSync(world.path("a.txt"), "the words of a\n");
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("read a.txt")).text, "Read.");
  assert.ok(sent(world, 1).includes("the words of a"));
});

test("where the model cannot be asked to go on, the answer says why it breaks off", async (t) => {
  const world = await worldOf(t, [{ text: "Half of it", finish: "length" }, { status: 401 }]);
  await using daemon = await world.open();
  assert.match(
    (await (await talkTo(daemon)).say("tell me")).text,
    /^Half of it\n\n\[The answer breaks off here\. /,
  );
});

for (const name of protocols) {
  test(`${name}: a file of 40 kB is written in one call, because the request leaves room for it`, async (t) => {
    const content = "A line of a long file, as long as others.\n".repeat(1_000);
    const world = await worldOf(t, [
      calls(["write-file", { path: "long.txt", content, explanation }]),
      { text: "Written." },
    ]);
    const model = models[name];
    await using daemon = await world.open(
      settingsFor(world, name, {
        MODEL: model,
        CONTEXT_WINDOW: "128000",
        ...(name === "loop" ? { MAX_OUTPUT: "16384" } : {}),
      }),
    );
    assert.equal((await (await talkTo(daemon)).say("write long.txt")).text, "Written.");
    assert.equal(readFileSync(world.path("long.txt"), "utf8"), content);
    const limit = /"(?:max_tokens|max_output_tokens|maxOutputTokens)":(\d+)/.exec(
      world.provider.requests[0]?.body ?? "",
    );
    assert.ok(Number(limit?.[1]) * 3 > content.length, `${limit?.[1]} tokens`);
  });
}

for (const [name, what, step] of [
  ["loop", "beside its text", { thinking: "Well, let me think. " }],
  ["loop", "in its text", { text: "<think>\nWell, let me think. " }],
  ["openai", "in secret", { signature: "ZW5j" }],
  ["anthropic", "with a signature", { thinking: "Well. ", signature: "c2ln" }],
  ["google", "beside its text", { thinking: "Well. " }],
] as const) {
  test(`${name}: a model that spent its whole limit on thinking ${what} is told as that, with the settings, and is not asked again`, async (t) => {
    const world = await worldOf(t, [{ ...step, finish: "length", usage: { input: 10, output: 4321 } }]);
    await using daemon = await world.open(settingsFor(world, name));
    const said = await (await talkTo(daemon)).say("think hard");
    assert.deepEqual([said.end, said.code], ["failed", "exhausted"]);
    assert.match(said.text, /spent all its 4321 tokens.* and said nothing \(limit: \d+\)/);
    assert.equal(said.text.includes("on thinking"), name !== "openai");
    const setting = `${name.toUpperCase()}_MAX_OUTPUT`;
    assert.match(said.text, new RegExp(`Raise ${setting}, or \\w+_CONTEXT_WINDOW if its context is full`));
    assert.equal(world.provider.requests.length, 1);
    assert.doesNotMatch((await (await talkTo(daemon)).say("/status")).text, /rests/);
  });
}
