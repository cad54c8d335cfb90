import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { decodersOf } from "../../connect/content-encodings.ts";
import { readBody } from "./read-body.ts";
import { sendRequest } from "./send-request.ts";

/** Serves one body from loopback and gives the answer to who reads it. */
async function answered<T>(
  body: Uint8Array,
  encoding: string,
  read: (answer: IncomingMessage) => Promise<T>,
) {
  const server = createServer((_request, response) =>
    response.setHeader("content-encoding", encoding).end(body),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  try {
    const url = new URL(`http://127.0.0.1:${address.port}/`);
    return await read(await sendRequest(url, ["127.0.0.1"], new AbortController().signal));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const words = Buffer.from("words and wörds ".repeat(5000));

test("each content encoding that servers use is undone, several of them in their order", async () => {
  for (const [encoding, body] of [
    ["gzip", gzipSync(words)],
    ["X-GZIP", gzipSync(words)],
    ["deflate", deflateSync(words)],
    ["deflate", deflateRawSync(words)],
    ["br", brotliCompressSync(words)],
    ["zstd", zstdCompressSync(words)],
    ["identity", words],
    ["", words],
    ["gzip, br", brotliCompressSync(gzipSync(words))],
  ] as const) {
    const read = await answered(body, encoding, (answer) => readBody(answer, 1_000_000));
    assert.ok(read.ok && !read.cut && read.bytes.equals(words), encoding);
  }
});

test("an empty compressed body is empty", async () => {
  for (const [encoding, body] of [
    ["gzip", Buffer.alloc(0)],
    ["deflate", Buffer.alloc(0)],
    ["br", brotliCompressSync("")],
  ] as const) {
    const read = await answered(body, encoding, (answer) => readBody(answer, 100));
    assert.deepEqual(read.ok && [read.bytes.length, read.cut], [0, false], encoding);
  }
});

test("a compression bomb stops at the limit, without the memory that it wants", async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const before = process.memoryUsage().arrayBuffers;
  for (const [encoding, body] of [
    ["gzip", bomb],
    ["gzip, gzip", gzipSync(bomb)],
  ] as const) {
    const read = await answered(body, encoding, (answer) => readBody(answer, 1_000_000));
    assert.deepEqual(read.ok && [read.bytes.length, read.cut], [1_000_000, true], encoding);
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000);
});

test("a compressed body that breaks off or is none throws, and an unknown encoding is named", async () => {
  for (const body of [gzipSync(words).subarray(0, 60), Buffer.from("not gzip")])
    await assert.rejects(answered(body, "gzip", (answer) => readBody(answer, 1_000_000)));
  for (const encoding of ["compress", "gzip, x-own", "gzip, gzip, gzip, gzip"]) {
    const read = await answered(words, encoding, (answer) => readBody(answer, 1_000_000));
    assert.deepEqual(read, { ok: false, encoding });
  }
});

test("a Brotli body is refused unread by a Node whose decoder lacks the fix, also as one of several encodings", async () => {
  const open = decodersOf({});
  for (const [encoding, body] of [
    ["br", brotliCompressSync(words)],
    ["gzip, br", brotliCompressSync(gzipSync(words))],
  ] as const)
    assert.deepEqual(await answered(body, encoding, (answer) => readBody(answer, 1_000_000, open)), {
      ok: false,
      encoding,
    });
});
