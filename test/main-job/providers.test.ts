import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { calls, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import { refusingUrl, type Step } from "../loopback-provider.ts";

test("a provider that refuses connections is passed over, and the next one answers", async (t) => {
  const world = await makeWorld(t, [{ text: "From the second." }], { PROVIDER_CASCADE: "gone,loop" });
  await using daemon = await world.open({ GONE_BASE_URL: await refusingUrl() });
  assert.equal((await (await talkTo(daemon)).say("hi")).text, "From the second.");
});

for (const [fault, step, tries] of [
  ["answers 429 with a long Retry-After", { status: 429, headers: { "retry-after": "60" } }, 1],
  ["answers with HTML", { fault: "html" }, 2],
  ["answers with JSON that does not read", { fault: "json" }, 2],
  ["answers with a malformed stream", { fault: "malformed" }, 2],
  ["answers with nothing", { fault: "nothing" }, 2],
  ["cuts its answer off", { text: "half of", fault: "cut-off" }, 2],
  ["breaks off in mid-stream", { text: "half of", fault: "break-off" }, 2],
  ["rejects its key", { status: 401 }, 1],
  ["rejects the request", { status: 400, body: '{"error":{"message":"no such model"}}' }, 1],
] as const satisfies readonly (readonly [string, Step, number])[]) {
  test(`a provider that ${fault} is asked ${tries === 1 ? "once" : "twice"}, and then the next one answers`, async (t) => {
    const world = await makeWorld(t, [{ ...step, repeat: true }], { PROVIDER_CASCADE: "loop,second" });
    const second = await makeWorld(t, [{ text: "From the second." }]);
    await using daemon = await world.open({ SECOND_BASE_URL: `${second.provider.url}/v1` });
    const said = await (await talkTo(daemon)).say("hi");
    assert.equal(said.text, "From the second.");
    assert.equal(world.provider.requests.length, tries);
  });
}

test("a provider that answers 429 or 500 is asked four times in all, and then the next one answers", async (t) => {
  const statuses = [429, 500].map(async (status) => {
    const world = await makeWorld(t, [{ status, repeat: true }], { PROVIDER_CASCADE: "loop,second" });
    const second = await makeWorld(t, [{ text: "From the second." }]);
    await using daemon = await world.open({ SECOND_BASE_URL: `${second.provider.url}/v1` });
    const { text } = await (await talkTo(daemon)).say("hi");
    return [text, world.provider.requests.length];
  });
  const wanted = ["From the second.", 4];
  assert.deepEqual(await Promise.all(statuses), [wanted, wanted]);
});

test("what is told of words that a provider refuses goes through the owner's filter", async (t) => {
  const world = await makeWorld(t, [{ text: "One." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("POISON \u202e of the past");
  world.provider.add(
    { when: "POISON", status: 400, body: '{"error":{"message":"no"}}', repeat: true },
    { text: "Two.", repeat: true },
  );
  const said = await talk.say("and now?");
  assert.equal(said.text, "Two.");
  const told = said.events.flatMap((event) => (event.type === "thinking" ? [event.text] : [])).join("\n");
  assert.match(told, /loop refuses the words "POISON .* of the past"/);
  assert.doesNotMatch(told, /\u202e/);
});

test("a silent provider is left when its time for a first word is over", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang", repeat: true }], { PROVIDER_CASCADE: "loop,second" });
  const second = await makeWorld(t, [{ text: "From the second." }]);
  await using daemon = await world.open({
    SECOND_BASE_URL: `${second.provider.url}/v1`,
    FIRST_TOKEN_TIMEOUT: "0.2",
  });
  assert.equal((await (await talkTo(daemon)).say("hi")).text, "From the second.");
  assert.equal(world.provider.requests.length, 1);
});

test("broken arguments of a tool call go back to the model, which may correct them", async (t) => {
  const world = await makeWorld(t, [
    { calls: [{ name: "list-files", arguments: '{"path": ".", "explanation": "The own' }] },
    calls(["list-files", { path: "." }]),
    { text: "Listed." },
  ]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("list")).text, "Listed.");
  assert.equal(world.provider.requests.length, 3);
});

test("a prompt that is too long is trimmed and sent once more", async (t) => {
  const world = await makeWorld(t, [
    { text: "A long tale. ".repeat(100) },
    {
      status: 400,
      body: '{"error":{"message":"maximum context length is 4096 tokens","code":"context_length_exceeded"}}',
    },
    { text: "Shorter now." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("tell me");
  assert.equal((await talk.say("and now?")).text, "Shorter now.");
  const [, long, short] = world.provider.requests;
  assert.ok((short?.bytes ?? 0) < (long?.bytes ?? 0));
});

test("each provider gets its own key, model and address, and nothing of another's", async (t) => {
  const world = await makeWorld(t, [{ status: 401, repeat: true }], {
    PROVIDER_CASCADE: "loop,second",
    LOOP_MODEL: "model-one",
  });
  const second = await makeWorld(t, [{ text: "Hello." }]);
  await using daemon = await world.open({
    SECOND_BASE_URL: `${second.provider.url}/v1`,
    SECOND_API_KEY: "second-key-0815-beef",
    SECOND_MODEL: "model-two",
  });
  await (await talkTo(daemon)).say("hi");
  const [one] = world.provider.requests;
  const [two] = second.provider.requests;
  assert.match(one?.headers["authorization"] ?? "", /loopback-key/);
  assert.match(one?.body ?? "", /"model":"model-one"/);
  assert.equal(two?.headers["authorization"], "Bearer second-key-0815-beef");
  assert.match(two?.body ?? "", /"model":"model-two"/);
});

test("where no provider can answer, the person is told who failed, how, and what to do", async (t) => {
  const world = await makeWorld(t, [{ status: 401, repeat: true }], { PROVIDER_CASCADE: "gone,loop" });
  await using daemon = await world.open({ GONE_BASE_URL: await refusingUrl() });
  const said = await (await talkTo(daemon)).say("hi");
  assert.deepEqual([said.end, said.code], ["failed", "exhausted"]);
  assert.match(
    said.text,
    /^LLM error \(loop\): .*gone: .*loop: .*Start gone or correct its address\. Check the key of loop\./,
  );
});

test("the recovery handler's fallback answer is judged and sent where no provider can answer", async (t) => {
  const world = await makeWorld(t, [{ status: 401, repeat: true }], {
    FALLBACK_ANSWER: "I am away. Your word is kept.",
  });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("hi");
  assert.deepEqual([said.end, said.text], ["answered", "I am away. Your word is kept."]);
});

test("a call that the budget does not hold is not made", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }], {
    LOOP_INPUT_PRICE: "10",
    LOOP_OUTPUT_PRICE: "30",
    BUDGET_PER_DAY: "0.000001",
  });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("hi");
  assert.deepEqual([said.end, said.code], ["failed", "over-budget"]);
  assert.match(said.text, /Budget exhausted: \$0\.0000 remaining, \$0\.(?!0000)\d+ requested/);
  assert.equal(world.provider.requests.length, 0);
});

test("at the cap the owner is asked, and /budget more allows the next call today, over a restart too", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], {
    LOOP_INPUT_PRICE: "10",
    LOOP_OUTPUT_PRICE: "30",
    BUDGET_PER_DAY: "0.000001",
    BUDGET_PER_SESSION: "0.000001",
    BUDGET_PER_TURN: "0.000001",
  });
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    assert.match(
      (await talk.say("hi")).text,
      /requested\. May I spend more today\? \/budget more DOLLARS allows it/,
    );
    for (const wrong of [
      "/budget more",
      "/budget more 0",
      "/budget more -1",
      "/budget more 1e9",
      "/budget less 1",
    ])
      assert.match((await talk.say(wrong)).text, /Usage: \/budget/);
    assert.equal((await talk.say("hi again")).code, "over-budget");
    assert.match((await talk.say("/budget more $3")).text, /Today \$3\.00 more may be spent/);
  }
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("hi once more")).text, "Hello.");
  const raised = journalOf(world).filter(({ detail }) => detail["event"] === "budget-raised");
  assert.deepEqual(
    raised.map(({ detail }) => detail["dollars"]),
    [3],
  );
});

test("with AT_BUDGET_CAP=reflex the reflex engine goes on where no model fits into the budget", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }], {
    LOOP_INPUT_PRICE: "10",
    LOOP_OUTPUT_PRICE: "30",
    BUDGET_PER_DAY: "0.000001",
    AT_BUDGET_CAP: "reflex",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("write a.txt: by reflex");
  assert.equal(said.end, "answered", said.text);
  assert.equal(readFileSync(world.path("a.txt"), "utf8").trim(), "by reflex");
  assert.match(
    named(said.events, "thinking")
      .map(({ text }) => text)
      .join(),
    /so I answer by reflex/,
  );
  assert.equal(world.provider.requests.length, 0);
});

test("the cost of each call is booked on its provider, and /status shows it", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", usage: { input: 1000, output: 100 } }], {
    LOOP_INPUT_PRICE: "10",
    LOOP_OUTPUT_PRICE: "30",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  assert.match(
    (await talk.say("/status")).text,
    /loop, default: 1 call \(0 failed\), 1000 tokens in, 100 out, \$0\.0130 by your setting/,
  );
});

test("a failed try is booked on the provider that failed", async (t) => {
  const world = await makeWorld(t, [{ status: 401, repeat: true }], { PROVIDER_CASCADE: "loop,second" });
  const second = await makeWorld(t, [{ text: "Hello." }]);
  await using daemon = await world.open({ SECOND_BASE_URL: `${second.provider.url}/v1` });
  const talk = await talkTo(daemon);
  await talk.say("hi");
  const { text } = await talk.say("/status");
  assert.match(text, /loop, default: 1 call \(1 failed\)/);
  assert.match(text, /second, default: 1 call \(0 failed\)/);
});

test("a provider on loopback costs nothing unless it is priced", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", usage: { input: 1000, output: 100 } }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  assert.match((await talk.say("/status")).text, /\$0\.0000/);
});

test("the request for a bare hi has all fifteen tools, and no more than 8,000 bytes", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hi");
  const body = sent(world, 0);
  const names = [...body.matchAll(/"function":\{"name":"([\w-]+)"/g)].map(([, name]) => name);
  assert.equal(names.length, 15);
  // The folder for temporary files may have a longer name than /tmp.
  const bytes = Buffer.byteLength(body.replaceAll(world.home, "/tmp/agent-world-123456"));
  assert.ok(bytes > 0 && bytes <= 8000, `${bytes} bytes`);
});

test("a tool that is denied is not declared to the model", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], { TOOL_PERMISSIONS: "shell=deny" });
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hi");
  assert.doesNotMatch(world.provider.requests[0]?.body ?? "", /"name":"shell"/);
});

for (const [name, prefix, path, model] of [
  ["Anthropic's", "ANTHROPIC", "/messages", ""],
  ["Google's", "GOOGLE", ":streamGenerateContent", ""],
  ["OpenAI's", "OPENAI", "/responses", ""],
  ["OpenAI's older", "OPENAI", "/chat/completions", "gpt-4.1"],
] as const) {
  test(`the main job works over ${name} protocol`, async (t) => {
    const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }], {
      PROVIDER_CASCADE: prefix.toLowerCase(),
    });
    await using daemon = await world.open({
      [`${prefix}_BASE_URL`]: `${world.provider.url}/v1`,
      [`${prefix}_API_KEY`]: "some-other-key-1234",
      [`${prefix}_MODEL`]: model,
    });
    const said = await (await talkTo(daemon)).say("list");
    assert.equal(said.text, "Listed.");
    assert.ok(world.provider.requests.every((request) => request.path.includes(path)));
    assert.match(world.provider.requests[0]?.body ?? "", /explanation/);
  });
}

test("idle costs no request", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  {
    await using daemon = await world.open();
    await talkTo(daemon);
  }
  assert.equal(world.provider.requests.length, 0);
});
