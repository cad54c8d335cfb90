import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { checkLlamaServer } from "./check-llama-server.ts";
import { checkOllamaServer } from "./check-ollama-server.ts";

/** A server that has these pages and no others. */
async function serve(t: TestContext, pages: Readonly<Record<string, unknown>>): Promise<URL> {
  const server = createServer(({ url = "" }, response) => {
    const page = new Map(Object.entries(pages)).get(url);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(typeof page === "string" ? page : JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  t.after(() => server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
}

const assumed = { name: "ollama", callsTools: true, contextWindow: 8192, model: "qwen3" };

test("an Ollama that runs the model with a smaller context than assumed is told of, with both remedies", async (t) => {
  const url = await serve(t, {
    "/api/ps": {
      models: [
        { name: "other", context_length: 9 },
        { name: "qwen3:latest", context_length: 4096 },
      ],
    },
  });
  const [finding = "", ...more] = await checkOllamaServer({ ...assumed, url });
  assert.match(
    finding,
    /with a context of 4096 tokens, and 8192 are assumed: it cuts longer prompts in silence/,
  );
  assert.match(finding, /Set OLLAMA_CONTEXT_WINDOW=4096, or start Ollama with OLLAMA_CONTEXT_LENGTH=8192/);
  assert.deepEqual(more, []);
  assert.deepEqual(await checkOllamaServer({ ...assumed, url, contextWindow: 4096 }), []);
});

for (const [what, pages] of [
  ["has not loaded the model", { "/api/ps": { models: [] } }],
  ["is too old to tell its context", { "/api/ps": { models: [{ name: "qwen3" }] } }],
  ["is another one", {}],
  ["answers what cannot be read", { "/api/ps": "<html>", "/props": "{" }],
] as const) {
  test(`a server that ${what} gives no finding`, async (t) => {
    const url = await serve(t, pages);
    assert.deepEqual(await checkOllamaServer({ ...assumed, url }), []);
    assert.deepEqual(await checkLlamaServer({ ...assumed, url }), []);
  });
}

test("a llama.cpp server that drops tools or has a smaller context is told of", async (t) => {
  const url = await serve(t, {
    "/props": { default_generation_settings: { n_ctx: 2048 }, chat_template_caps: { supports_tools: false } },
  });
  const [tools = "", context = ""] = await checkLlamaServer({ ...assumed, name: "llama", url });
  assert.match(tools, /drops them in silence\. Set LLAMA_TOOLS=false/);
  assert.match(
    context,
    /2048 tokens, and 8192 are assumed\. Set LLAMA_CONTEXT_WINDOW=2048, or start it with --ctx-size 8192/,
  );
  assert.deepEqual(await checkLlamaServer({ ...assumed, url, callsTools: false, contextWindow: 2048 }), []);
});
