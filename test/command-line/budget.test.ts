import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { OwnSpending } from "../../src/features/inspect/read-own-spending.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const prices = { LOOP_INPUT_PRICE: "10", LOOP_OUTPUT_PRICE: "30" };
const usage = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens_details: { reasoning_tokens: 60 },
};

function readReport(text: string): OwnSpending {
  return JSON.parse(text);
}

test("budget shows today's spending and that of the folder's last session, by model, with cached and thinking tokens and the origin of the price", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", sentUsage: usage, repeat: true }], prices);
  await world.command(["ask", "--session", "work", "hi"]);
  await world.command(["ask", "--session", "other", "hi"]);
  await world.command(["ask", "--session", "other", "hi"]);
  const shown = await world.command(["budget"]);
  assert.equal(shown.code, 0);
  assert.match(
    shown.out,
    /^Spent today: \$0\.0390 of \$10\.00\.\n {2}loop, default: 3 calls \(0 failed\), 3000 tokens in \(1200 cached\), 300 out \(180 thinking\), \$0\.0390 by your setting\nSpent in session other: \$0\.0260 of \$5\.00\.\n {2}loop, default: 2 calls /,
  );
  const named = await world.command(["budget", "--session", "work", "--json"]);
  const { today, session } = readReport(named.out);
  const model = { provider: "loop", model: "default", price: { from: "setting", day: null } };
  assert.equal(named.code, 0);
  assert.partialDeepStrictEqual(today, { microdollars: 39_000, limitMicrodollars: 10_000_000 });
  assert.equal(session?.name, "work");
  assert.deepEqual(session?.models, [
    {
      ...model,
      calls: 1,
      failed: 0,
      unknown: 0,
      inputTokens: 1000,
      cacheReadTokens: 400,
      cacheWriteTokens: 0,
      outputTokens: 100,
      thinkingTokens: 60,
      microdollars: 13_000,
    },
  ]);
});

test("budget tells by its exit code that a budget is spent, that there is no such session, and wrong usage", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", sentUsage: usage, repeat: true }], prices);
  await world.command(["ask", "hi"]);
  assert.equal((await world.command(["budget"], { settings: { BUDGET_PER_SESSION: "0.013" } })).code, 5);
  assert.equal((await world.command(["budget"], { settings: { BUDGET_PER_DAY: "0.01" } })).code, 5);
  assert.equal((await world.command(["budget", "now"])).code, 2);
  const missing = await world.command(["budget", "--session", "nowhere"]);
  assert.deepEqual([missing.code, missing.out], [1, ""]);
  assert.match(missing.err, /no session named 'nowhere'/);
});

test("budget without a state says so, and in a folder without a session shows the day alone", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const fresh = await world.command(["budget"]);
  assert.equal(fresh.code, 1);
  assert.match(fresh.err, /There is no state in .* yet\. Start a conversation first/);
  await world.command(["ask", "hi"]);
  mkdirSync(join(world.home, "elsewhere"));
  const elsewhere = await world.command(["budget"], { cwd: join(world.home, "elsewhere") });
  assert.equal(elsewhere.code, 0, elsewhere.err);
  assert.match(elsewhere.out, /1 call .*\nThere is no session of this folder yet\.\n$/);
});

test("budget counts what a failed call cost, the calls of each provider, and says so in a conversation too", async (t) => {
  const world = await makeWorld(t, [{ status: 401, repeat: true }], { PROVIDER_CASCADE: "loop,second" });
  const second = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Hello." }]);
  await using daemon = await world.open({ SECOND_BASE_URL: `${second.provider.url}/v1`, ...prices });
  const talk = await talkTo(daemon);
  await talk.say("hi");
  const { text } = await talk.say("/budget");
  assert.match(text, /loop, default: 1 call \(1 failed\)/);
  assert.match(
    text,
    /second, default: 2 calls \(0 failed\), 20 tokens in, 10 out, \$0\.0000 by this machine/,
  );
  assert.match(text, /Spent in this session: /);
});

test("usage names each request that did not begin with what its session sent before, also over a restart", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", sentUsage: usage, repeat: true }], {
    LOOP_CONTEXT_WINDOW: "64000",
  });
  const breaks = async () =>
    (await world.command(["usage", "--json"])).out
      .trim()
      .split("\n")
      .flatMap((line) => JSON.parse(line).break ?? []);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "work");
    for (const words of ["hi", "and now?", "thank you"]) await talk.say(words);
    assert.deepEqual(await breaks(), []);
    await talk.say("/model loop/other");
    await talk.say("and now?");
    assert.deepEqual(
      (await breaks()).map(({ differs }) => differs),
      [[{ part: "model", what: "loop/default became loop/other" }]],
    );
  }
  await using daemon = await world.open({ LOOP_CONTEXT_WINDOW: "48000" });
  const talk = await talkTo(daemon, "work");
  await talk.say("and now?");
  const { text } = await talk.say("/usage");
  assert.match(text, /2 requests did not begin with .*, first by: model 1, instructions 1\.$/m);
  assert.match(
    text,
    /loop\/other: model \(loop\/default became loop\/other\); 1000 tokens in \(400 cached\)$/m,
  );
  assert.match(text, /loop\/other: instructions \(changed: CONFIG\); 1000 tokens in/);
  assert.ok((await world.command(["usage"])).out.includes(text.split("\n").at(-1) ?? "?"));
});

test("usage counts what calls took by day, model, job, skill and rule, in a conversation too", async (t) => {
  const rules = { ...prices, MODEL_ROUTES: "hard: only loop" };
  const world = await makeWorld(t, [{ text: "Hello.", sentUsage: usage, repeat: true }], rules);
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  writeFileSync(
    join(world.configuration, "skills", "dice.org"),
    "#+TITLE: Dice\n#+TRIGGER_WORDS: dice\n\n#+begin_prompt\nSay which dice.\n#+end_prompt\n",
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const words of ["hi", "prove it", "roll dice"]) await talk.say(words);
  const rows = async (by: string) =>
    (await world.command(["usage", "--by", by, "--json"])).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter((row) => row.by === by)
      .map(({ key, calls: count }) => [key, count]);
  assert.deepEqual(await rows("skill"), [
    [null, 2],
    ["dice", 1],
  ]);
  assert.deepEqual(await rows("rule"), [
    [null, 2],
    ["hard: only loop", 1],
  ]);
  assert.deepEqual(await rows("job"), [[null, 3]]);
  const { text } = await talk.say("/usage model");
  assert.match(
    text,
    /^Spent in 30 days, by model: \$0\.0\d+\.\n {2}loop\/default: \$0\.0390, 3 calls, 3000 tokens in \(1200 cached\), 300 out$/m,
  );
  assert.match((await world.command(["usage"])).out, /by day: .*\n {2}\d{4}-\d\d-\d\d: .*3 calls/);
  assert.equal((await world.command(["usage", "--by", "week"])).code, 2);
});
