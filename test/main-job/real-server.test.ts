import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, journalOf, makeWorld, named, talkTo } from "../agent-world.ts";
import { paid } from "../door-world.ts";
import { startLlamaServer, whyNoLlamaServer } from "../llama-server.ts";
import { openAnswerCutter } from "../request-proxy.ts";
import { openSchemaProxy } from "../schema-proxy.ts";

/** Tools that the tests of a real server do without: a short prompt is read faster. */
const denied = [
  "agenda",
  "archive-notes",
  "backlinks",
  "change-notes",
  "edit-file",
  "edit-notes",
  "eval",
  "fetch-url",
  "list-files",
  "recall",
  "remember",
  "search-files",
]
  .map((tool) => `${tool}=deny`)
  .join(",");
const skip = whyNoLlamaServer() ?? false;

const isLong = process.env["LONG"] === "all";
/** Tokens after which an answer is cut off, and continued: the least that can be set, with `npm run long`. */
const cutAt = isLong ? 256 : 24;

/** The settings of the same server as the preset for llama.cpp. */
function asLlama(url: string) {
  return { PROVIDER_CASCADE: "llama", LLAMA_HOST: url, LLAMA_CONTEXT_WINDOW: "16384" };
}

/** An agent whose only provider is a real server. */
function worldAt(
  t: TestContext,
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<AgentWorld> {
  return makeWorld(t, [], {
    PROVIDER_CASCADE: "real",
    REAL_BASE_URL: `${url}/v1`,
    REAL_CONTEXT_WINDOW: "16384",
    REAL_MAX_OUTPUT: "256",
    TOOL_PERMISSIONS: denied,
    ...settings,
  });
}

test("a real server's answer streams, its own token counts are booked, and one that the limit cuts off is continued or told", {
  skip,
}, async (t) => {
  await using server = await startLlamaServer(t, "stories260K-tools", "-c", "16384");
  await using proxy = await openAnswerCutter(server.url, cutAt);
  const world = await worldAt(t, proxy.url);
  const said = await (await talkTo(await opened(t, world))).say("Once upon a time");
  assert.equal(said.end, "answered");
  assert.ok(named(said.events, "text").length > 3);
  const outcomes = journalOf(world).filter(
    ({ kind, detail }) => kind === "outcome" && detail["event"] === "model-call",
  );
  assert.ok(outcomes.every(({ detail }) => Number(detail["inputTokens"]) > 500));
  const isCut = outcomes.some(({ detail }) => Number(detail["outputTokens"]) >= cutAt);
  const isTold = /cut off|limit of output|MAX_OUTPUT/i.test(said.text);
  assert.ok(!isCut || outcomes.length > 1 || isTold, said.text);
  t.diagnostic(JSON.stringify(outcomes.map(({ detail }) => [detail["inputTokens"], detail["outputTokens"]])));
});

test("a server that is killed in mid-stream breaks the answer off: what was shown is withdrawn, the person is told, and the provider rests", {
  skip,
}, async (t) => {
  await using server = await startLlamaServer(t, "stories260K-tools", "-c", "16384");
  const world = await worldAt(t, server.url, { REAL_MAX_OUTPUT: "4096" });
  const agent = await opened(t, world);
  const talk = await talkTo(agent);
  const killed = Promise.withResolvers<void>();
  agent.subscribe((event) => {
    if (event.type === "text" && !event.reset) server.kill().then(killed.resolve, killed.reject);
  });
  const said = await talk.say("Tell a very long story");
  await killed.promise;
  assert.deepEqual([said.end, said.code], ["failed", "exhausted"]);
  assert.ok(named(said.events, "text").some(({ reset }) => reset));
  assert.match(said.text, /real: .*(broke off|could not be reached).*Start real or correct its address/);
  assert.match((await talk.say("/status")).text, /Provider real rests for/);
});

test("a prompt that is too long for a real server is trimmed where it can be, and else told with what to do", {
  skip,
}, async (t) => {
  await using server = await startLlamaServer(t, "stories260K-tools", "-c", "2048");
  const world = await worldAt(t, server.url);
  const said = await (await talkTo(await opened(t, world))).say(
    `Sum it up: ${"one two three ".repeat(2000)}`,
  );
  assert.deepEqual([said.end, said.code], ["failed", "exhausted"]);
  assert.match(said.text, /real: answered 400: .*context.*Ask in a new session, or with less context/i);
});

test("vectors of a real server find notes", { skip }, async (t) => {
  await using server = await startLlamaServer(t, "stories260K", "--embeddings", "--pooling", "mean");
  const { buildEmbedder } = await import("../../src/reason/providers/embedding.ts");
  const setting = {
    name: "real",
    kind: "openai-compatible",
    baseUrl: `${server.url}/v1`,
    apiKey: null,
    model: null,
  } as const;
  const embedder = buildEmbedder({ provider: setting, model: null, prices: null }, Date.now);
  assert.ok(typeof embedder !== "string");
  const answer = await embedder.embed(
    ["a dog ran", "a dog ran", "the sea is blue"],
    paid,
    AbortSignal.timeout(120_000),
  );
  assert.ok(answer.ok, answer.ok ? "" : answer.failure.message);
  const [one, same, other] = answer.vectors;
  assert.deepEqual(one, same);
  assert.notDeepEqual(one, other);
  assert.ok((answer.tokens ?? 0) > 3);
});

test("doctor tells of a server that drops tools in silence, and of its real context", { skip }, async (t) => {
  await using without = await startLlamaServer(t, "stories260K", "-c", "1024");
  const world = await worldAt(t, without.url, asLlama(without.url));
  const doctor = await world.command(["doctor"]);
  assert.match(
    doctor.out,
    /note +providers: llama: the chat template of its model has no tools.*Set LLAMA_TOOLS=false/,
  );
  assert.match(
    doctor.out,
    /note +providers: llama: its server has a context of 1024 tokens, and 16384 are assumed\. Set LLAMA_CONTEXT_WINDOW=1024/,
  );
  const told = await world.command(["doctor"], {
    settings: { LLAMA_TOOLS: "false", LLAMA_CONTEXT_WINDOW: "1024" },
  });
  assert.doesNotMatch(told.out, /llama: (the chat template|its server has)/);
  await using withTools = await startLlamaServer(t, "stories260K-tools", "-c", "16384");
  const fine = await (await worldAt(t, withTools.url, asLlama(withTools.url))).run(["doctor"]);
  assert.doesNotMatch(fine.out, /llama: (the chat template|its server has)/);
});

/** Each seed is a turn. `npm run long` takes 20. */
const seeds = isLong ? 20 : 3;

test("the loop with a model that nobody scripted never crashes over many seeds, and its journal is whole", {
  skip,
  // A machine that does other work may need minutes for each.
  timeout: 3_600_000,
}, async (t) => {
  await using server = await startLlamaServer(t, "stories260K-tools", "-c", "16384");
  await using proxy = await openSchemaProxy(server.url);
  const world = await worldAt(t, proxy.url, {
    REAL_TOOLS: "false",
    DEPTH_LIMIT: "2",
    TOOL_PERMISSIONS: `write-file=allow,${denied}`,
  });
  writeFileSync(world.path("plan.txt"), "water the roses\n");
  const agent = await opened(t, world);
  const ends = new Map<string, number>();
  const tools = new Set<string>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const talk = await talkTo(agent);
    proxy.seed(seed);
    const said = await talk.say(`Do something with plan.txt (${seed})`);
    ends.set(said.end, (ends.get(said.end) ?? 0) + 1);
    for (const { action } of named(said.events, "proposed"))
      tools.add(String(action.payload["tool"] ?? action.target));
  }
  const known = ["answered", "approval-required", "blocked", "failed", "stopped"];
  assert.ok(
    [...ends.keys()].every((end) => known.includes(end)),
    JSON.stringify([...ends]),
  );
  assert.ok(tools.size >= 2, [...tools].join());
  const entries = journalOf(world);
  assert.equal(
    entries.filter(({ kind, detail }) => kind === "note" && detail["event"] === "loop-error").length,
    0,
  );
  t.diagnostic(
    `${entries.length} entries; turns: ${JSON.stringify([...ends])}; proposed: ${[...tools].join()}`,
  );
  await agent[Symbol.asyncDispose]();
  const doctor = await world.command(["doctor"]);
  assert.match(doctor.out, /journal: \d+ entries, chain intact/);
});

/** Opens an agent that ends with the test. */
async function opened(t: TestContext, world: AgentWorld) {
  const agent = await world.open();
  t.after(() => agent[Symbol.asyncDispose]());
  return agent;
}
