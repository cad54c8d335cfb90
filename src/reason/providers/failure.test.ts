import assert from "node:assert/strict";
import { test } from "node:test";
import { callWith, makeDoorWorld, makeHooks, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { type Step, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { openModelDoor } from "../model/call-model.ts";

const never = new AbortController().signal;
const error = (message: string, code: string | null = null): string =>
  JSON.stringify({ error: { message, code } });

const causes: readonly [what: string, step: Step, code: string, advice: RegExp][] = [
  [
    "an account without quota",
    {
      status: 429,
      body: error(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
      ),
    },
    "no-quota",
    /Add credit or raise the limit at first/,
  ],
  ["402 of OpenRouter", { status: 402, body: error("Insufficient credits") }, "no-quota", /Add credit/],
  [
    "Anthropic's empty account",
    { status: 400, body: error("Your credit balance is too low to access the API.") },
    "no-quota",
    /Add credit/,
  ],
  [
    "a key that is wrong",
    { status: 401, body: error("Incorrect API key provided") },
    "auth",
    /Check the key of first/,
  ],
  [
    "a model that does not exist",
    { status: 404, body: error("The model `gtp-5` does not exist", "model_not_found") },
    "no-model",
    /Set FIRST_MODEL to a model/,
  ],
  [
    "Ollama's missing model",
    { status: 404, body: error("model 'lama3' not found") },
    "no-model",
    /Set FIRST_MODEL/,
  ],
  [
    "OpenRouter's unknown model",
    { status: 400, body: error("foo/bar is not a valid model ID") },
    "no-model",
    /Set FIRST_MODEL/,
  ],
  [
    "Anthropic's unknown model",
    {
      status: 404,
      body: JSON.stringify({ type: "error", error: { type: "not_found_error", message: "model: claude-9" } }),
    },
    "no-model",
    /Set FIRST_MODEL/,
  ],
  [
    "a content filter",
    {
      status: 400,
      body: error(
        "The response was filtered due to the prompt triggering Azure's content management policy",
        "content_filter",
      ),
    },
    "filtered",
    /Put it in other words/,
  ],
  [
    "OpenRouter's moderation",
    {
      status: 403,
      body: error(
        'Your chosen model requires moderation and your input was flagged for "violence". No credits were charged.',
      ),
    },
    "filtered",
    /Put it in other words/,
  ],
  ["a content that the law forbids", { status: 451, body: error("not here") }, "filtered", /other words/],
  [
    "an account that is flagged",
    { status: 403, body: error("Your account has been suspended for violating our usage policies.") },
    "auth",
    /Check the key/,
  ],
  [
    "a prompt that is too long",
    { status: 400, body: error("This model's maximum context length is 8192 tokens") },
    "too-long",
    /new session, or with less context/,
  ],
  [
    "llama.cpp's context",
    {
      status: 400,
      body: JSON.stringify({
        error: {
          code: 400,
          type: "exceed_context_size_error",
          message: "the request exceeds the available context size",
          n_ctx: 512,
        },
      }),
    },
    "too-long",
    /less context/,
  ],
];
for (const [what, step, code, advice] of causes) {
  test(`${what} is told as what it is, with what to do about it`, async () => {
    await using server = await startLoopbackProvider([{ ...step, repeat: true }]);
    const { parts } = makeDoorWorld([providerAt(server.url)]);
    const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
    assert.ok(!outcome.ok);
    assert.equal(outcome.tries[0]?.code, code);
    assert.match(outcome.reason, advice);
  });
}

for (const [body, told] of [
  [
    "It works!\nThis is another program.\n",
    "sent something that is not an answer (it begins with “It works! This is another program.”)",
  ],
  [": OPENROUTER PROCESSING\n\n", "answered nothing"],
  ["", "answered nothing"],
] as const) {
  test(`of a stream of events with ${JSON.stringify(body)} it is told that the provider ${told}`, async () => {
    const headers = { "content-type": "text/event-stream" };
    await using server = await startLoopbackProvider([{ status: 200, body, headers, repeat: true }]);
    const { parts } = makeDoorWorld([providerAt(server.url)]);
    const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
    assert.ok(!outcome.ok);
    assert.equal(outcome.tries[0]?.message, told);
    const advice = "Try again later, check the address of first (FIRST_BASE_URL), or";
    assert.equal(outcome.reason.includes(advice), told !== "answered nothing", outcome.reason);
  });
}

test("a Retry-After is told with its time", async () => {
  const { outcome } = await callWith([{ status: 429, headers: { "retry-after": "300" }, repeat: true }]);
  assert.match(
    outcome.tries[0]?.message ?? "",
    /answered 429: .*; it asks to wait 5 min \(until .*\d\d:\d\d:\d\d\)/,
  );
});

test("a minute's quota of Google, which names its time, is no empty account", async () => {
  const body = JSON.stringify({
    error: {
      code: 429,
      message: "You exceeded your current quota, please check your plan and billing details.",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }],
    },
  });
  const { outcome } = await callWith([{ status: 429, body, repeat: true }], { kind: "google", apiKey: "k" });
  assert.equal(outcome.tries[0]?.code, "rate-limited");
  assert.match(outcome.tries[0]?.message ?? "", /wait 34 s/);
});

for (const kind of ["openai-compatible", "openai", "anthropic"] as const) {
  test(`for a model that ${kind} does not have, the nearest names are told`, async () => {
    const models = ["llama3.2:3b", "qwen3:8b", "mistral-small", "nomic-embed-text", "bad name \u202e"];
    await using server = await startLoopbackProvider(
      [{ status: 404, body: error("model 'lama3.2' not found", "model_not_found") }],
      { models },
    );
    const { parts } = makeDoorWorld([providerAt(server.url, { kind, apiKey: "k", model: "lama3.2" })]);
    const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
    assert.ok(!outcome.ok);
    assert.match(outcome.reason, /; it has llama3\.2:3b, /);
    assert.doesNotMatch(outcome.reason, /bad name/);
  });
}

test("a host that does not exist, and a server without TLS, are told as such", async () => {
  await using server = await startLoopbackProvider([]);
  const addresses = ["http://no-such-host.invalid", server.url.replace("http:", "https:")];
  const codes = addresses.map(async (url) => {
    const { parts } = makeDoorWorld([providerAt(url, { kind: "openai-compatible" })]);
    const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
    return outcome.tries[0];
  });
  const [host, tls] = await Promise.all(codes);
  assert.equal(host?.code, "unknown-host");
  assert.deepEqual(
    [tls?.code, tls?.message],
    ["bad-certificate", "does not speak TLS at this address: does http:// belong there?"],
  );
});
