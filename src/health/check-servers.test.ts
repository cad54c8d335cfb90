import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { checkLlamaServer } from "./check-llama-server.ts";

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

const assumed = { name: "llama", callsTools: true, contextWindow: 8192 };

for (const [what, pages] of [
  ["is another one", {}],
  ["answers what cannot be read", { "/props": "{" }],
] as const) {
  test(`a server that ${what} gives no finding`, async (t) => {
    const url = await serve(t, pages);
    assert.deepEqual(await checkLlamaServer({ ...assumed, url }), []);
  });
}

test("a llama.cpp server that drops tools or has a smaller context is told of", async (t) => {
  const url = await serve(t, {
    "/props": { default_generation_settings: { n_ctx: 2048 }, chat_template_caps: { supports_tools: false } },
  });
  const [tools = "", context = ""] = await checkLlamaServer({ ...assumed, url });
  assert.match(tools, /drops them in silence\. Set LLAMA_TOOLS=false/);
  assert.match(
    context,
    /2048 tokens, and 8192 are assumed\. Set LLAMA_CONTEXT_WINDOW=2048, or start it with --ctx-size 8192/,
  );
  assert.deepEqual(await checkLlamaServer({ ...assumed, url, callsTools: false, contextWindow: 2048 }), []);
});
