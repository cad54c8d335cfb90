import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Agents } from "../../connect/send.ts";
import { makeSingleRequest } from "./single-request.ts";

async function serving(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    server,
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const events =
  `data: ${JSON.stringify({ choices: [{ delta: { content: "word ".repeat(12) } }] })}\n\n`.repeat(1800);

test("a server that closes after a large quick answer is read to its end, by many slow readers at once", async () => {
  await using place = await serving((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" }).end(events);
    });
  });
  const read = async (): Promise<number> => {
    const response = await makeSingleRequest(place.url).fetch(`${place.url}/v1`, {
      method: "POST",
      body: "{}",
    });
    let bytes = 0;
    for await (const piece of response.body ?? []) bytes += piece.length;
    return bytes;
  };
  assert.ok(events.length > 150_000);
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, read))), new Set([events.length]));
});

test("calls of one provider, one after the other, use one connection", async () => {
  await using place = await serving(
    (request, response) => void request.resume().once("end", () => response.end("ok")),
  );
  let connections = 0;
  place.server.on("connection", () => {
    connections += 1;
  });
  const agents: Agents = new Map();
  for (let call = 0; call < 5; call += 1) {
    const response = await makeSingleRequest(place.url, agents).fetch(`${place.url}/v1`, {
      method: "POST",
      body: "{}",
    });
    assert.equal(await response.text(), "ok");
  }
  assert.equal(connections, 1);
});

test("a stop ends a call before its answer, and in the middle of it", async () => {
  await using place = await serving((request, response) => {
    if (request.url === "/begun") response.write("a");
  });
  for (const path of ["/silent", "/begun"]) {
    const stop = new AbortController();
    const read = async () => {
      const response = await makeSingleRequest(place.url).fetch(`${place.url}${path}`, {
        signal: stop.signal,
      });
      const reader = response.body?.getReader();
      await reader?.read();
      setImmediate(() => stop.abort());
      await reader?.read();
    };
    if (path === "/silent") place.server.once("request", () => stop.abort());
    await assert.rejects(read(), { name: "AbortError" }, path);
  }
});

test("an answer that nobody reads ends nothing, whatever becomes of its connection", async () => {
  await using place = await serving((_request, response) => {
    response.write("a".repeat(1_000_000));
    setImmediate(() => response.destroy());
  });
  const stop = new AbortController();
  for (const signal of [stop.signal, null])
    await makeSingleRequest(place.url).fetch(`${place.url}/v1`, { signal });
  stop.abort();
  const response = await makeSingleRequest(place.url).fetch(`${place.url}/v1`);
  await assert.rejects(response.text());
});

test("an answer is decompressed, and one in an encoding that is not known is refused", async () => {
  await using place = await serving((request, response) => {
    const encoding = request.url?.slice(1) ?? "";
    const body = encoding === "br" ? brotliCompressSync("words") : gzipSync("words");
    response.setHeader("x-asked", request.headers["accept-encoding"] ?? "");
    response.setHeader("content-encoding", encoding).end(body);
  });
  const ask = (encoding: string) => makeSingleRequest(place.url).fetch(`${place.url}/${encoding}`);
  for (const encoding of ["gzip", "br"]) {
    const response = await ask(encoding);
    assert.deepEqual([await response.text(), response.headers.get("content-encoding")], ["words", null]);
    assert.equal(response.headers.get("x-asked"), "gzip, deflate, br, zstd");
  }
  await assert.rejects(ask("x-own"), /not known \(x-own\)/);
});
