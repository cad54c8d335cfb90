import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { listModels } from "./list-models.ts";
import { describeOffer } from "./offered-models.ts";
import { buildProviders } from "./registry.ts";
import { settingsFrom } from "./settings.ts";

async function offerOf(provider: string, model: string, values = {}): Promise<string> {
  const record = await buildProviders(
    settingsFrom([provider], { [`${provider.toUpperCase()}_API_KEY`]: "k", ...values }),
    Date.now,
  )
    .providers.get(provider)
    ?.recordOf(model);
  assert.ok(record !== undefined);
  return describeOffer({ name: model, record });
}

test("a model stands with its price and its room, or with a word that its price is not known", async () => {
  assert.match(
    await offerOf("anthropic", "claude-3-5-haiku-latest"),
    /^\$0\.80 in, \$4\.00 out, a million tokens · 200k tokens$/,
  );
  assert.equal(await offerOf("openai", "some-model-of-tomorrow"), "its price is not known here");
  assert.equal(await offerOf("llama", "default"), "free, on this machine");
});

/** What is listed by a server that answers with this. */
async function listed(
  t: TestContext,
  status: number,
  body: string,
  protocol: "google" | "openai" = "openai",
) {
  const server = createServer((_, response) => response.writeHead(status).end(body)).unref();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  t.after(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const offered = await listModels(
    { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "key-of-mine-1", protocol },
    AbortSignal.timeout(120_000),
  );
  return offered.ok ? offered.models : `${offered.failure.code}: ${offered.failure.message}`;
}

test("names that could not be set, or would paint the terminal, are left out, and so are models that cannot talk", async (t) => {
  const data = ["good:8b", "a\u001b[2Jb", "two words", "x".repeat(101), "good:8b", "org/m-1.5"].map((id) => ({
    id,
  }));
  assert.deepEqual(await listed(t, 200, JSON.stringify({ data: [...data, 7, null] })), [
    "good:8b",
    "org/m-1.5",
  ]);
  const models = [
    { name: "models/gemini-x", supportedGenerationMethods: ["generateContent"] },
    { name: "models/embedder", supportedGenerationMethods: ["embedContent"] },
  ];
  assert.deepEqual(await listed(t, 200, JSON.stringify({ models }), "google"), ["gemini-x"]);
});

test("a server that lists no models is told as such, without the key", async (t) => {
  const refused = JSON.stringify({ error: { message: "Incorrect API key provided: key-of-mine-1" } });
  assert.equal(await listed(t, 401, refused), "auth: answered 401: Incorrect API key provided: [key]");
  for (const body of ["<html>hello</html>", "[]", '{"data":7}', "null", ""])
    assert.match(String(await listed(t, 200, body)), /^malformed: /, body);
});
