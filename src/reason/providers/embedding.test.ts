import assert from "node:assert/strict";
import { test } from "node:test";
import { paid } from "../../../test/door-world.ts";
import { startEmbeddingServer } from "../../../test/embedding-server.ts";
import { refusingUrl } from "../../../test/loopback-provider.ts";
import { buildEmbedder, type EmbedderSetting } from "./embedding.ts";
import { priceTableDay } from "./price-table.ts";

const never = new AbortController().signal;

function embedderAt(baseUrl: string, provider: Partial<EmbedderSetting["provider"]> = {}) {
  const setting = { name: "first", kind: "ollama", apiKey: null, model: null, baseUrl, ...provider } as const;
  const embedder = buildEmbedder({ provider: setting, model: null, prices: null }, () => 0);
  assert.ok(typeof embedder !== "string", "it is built");
  return embedder;
}

test("a server with OpenAI's protocol gives a vector for each text, in one request with the key", async () => {
  await using server = await startEmbeddingServer();
  const embedder = embedderAt(server.url, { kind: "openai-compatible", apiKey: "key-of-the-server" });
  const answer = await embedder.embed(["a car", "a house"], paid, never);
  assert.ok(answer.ok);
  assert.deepEqual(
    answer.vectors.map((vector) => vector.indexOf(1)),
    [0, 3],
  );
  assert.equal(answer.tokens, 20);
  assert.deepEqual(server.requests, [
    { model: "default", input: ["a car", "a house"], key: "Bearer key-of-the-server" },
  ]);
});

test("a hosted embedder costs what the model table says, unless the owner set a price", async () => {
  const provider = { name: "openai", kind: "openai", baseUrl: null, apiKey: "k", model: null } as const;
  for (const [prices, input, from] of [
    [null, 20_000, { from: "table", day: priceTableDay }],
    [{ inputMicrodollarsPerMillion: 5, outputMicrodollarsPerMillion: 0 }, 5, { from: "setting", day: null }],
  ] as const) {
    const embedder = buildEmbedder({ provider, model: null, prices }, () => 0);
    assert.ok(typeof embedder !== "string");
    const known = await embedder.prices();
    assert.equal(known.prices?.inputMicrodollarsPerMillion, input);
    assert.deepEqual(known.price, from);
  }
});

test("only Ollama and llama.cpp on loopback are local and free by themselves", async () => {
  assert.equal(embedderAt("http://127.0.0.1:1/v1").local, true);
  assert.equal(embedderAt("http://127.0.0.1:1/v1").model, "nomic-embed-text");
  assert.equal(embedderAt("http://example.org/v1").local, false);
  const unknown = await embedderAt("http://example.org/v1").prices();
  assert.deepEqual(unknown, { prices: null, price: { from: "assumption", day: null } });
  assert.equal(embedderAt("http://127.0.0.1:1/v1", { kind: "openai-compatible" }).local, false);
});

test("a provider without embeddings, or without its key, is a problem with a message", () => {
  const build = (kind: "anthropic" | "openai") =>
    buildEmbedder(
      {
        provider: { name: kind, kind, baseUrl: null, apiKey: null, model: null },
        model: null,
        prices: null,
      },
      () => 0,
    );
  assert.match(String(build("anthropic")), /no OpenAI-compatible embeddings/);
  assert.match(String(build("openai")), /set OPENAI_API_KEY/);
});

test("every failure is a value, without the key", async () => {
  await using server = await startEmbeddingServer();
  server.fail(401);
  const refused = await embedderAt(await refusingUrl()).embed(["a"], paid, never);
  assert.equal(!refused.ok && refused.failure.code, "refused");
  const denied = await embedderAt(server.url, { apiKey: "as the test says" }).embed(["a"], paid, never);
  assert.equal(!denied.ok && denied.failure.code, "auth");
  assert.match(denied.ok ? "" : denied.failure.message, /\[key\]/);
  server.fail(503);
  const down = await embedderAt(server.url).embed(["a"], paid, never);
  assert.equal(!down.ok && down.failure.code, "server-error");
  assert.equal(server.requests.length, 2, "no retry of its own");
  const stopped = await embedderAt(server.url).embed(["a"], paid, AbortSignal.abort());
  assert.equal(!stopped.ok && stopped.failure.code, "cancelled");
});
