import assert from "node:assert/strict";
import { createServer as createTcpServer } from "node:net";
import { test } from "node:test";
import type { ResolveHost } from "../web/send-request.ts";
import { fetched, hang, listening, nobody, sending, serving } from "./fetch-url.fixture.ts";
import { makeFetchUrlTool } from "./fetch-url.ts";
import { callerAt, codeOf, contentOf, prepareCall } from "./workbench.fixture.ts";

test("a look-up that does not end is ended by the time limit, and by stopping", async () => {
  await using _server = await sending("");
  assert.equal(
    codeOf(await fetched("http://any.invalid/", { resolveHost: hang, milliseconds: 50 })),
    "timeout",
  );
  const controller = new AbortController();
  const resolveHost: ResolveHost = () => {
    controller.abort();
    return hang();
  };
  const prepared = await prepareCall(
    makeFetchUrlTool({ resolveHost }),
    { url: "http://any.invalid/" },
    callerAt(null),
  );
  assert.equal(codeOf(await prepared.run(controller.signal)), "cancelled");
});

test("a huge or endless answer is cut, and the note says so", async () => {
  await using server = await serving((_request, response) => {
    response.setHeader("content-type", "text/plain");
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  const content = contentOf(await fetched(`http://127.0.0.1:${server.port}/`, { maxBytes: 200_000 }));
  assert.equal(String(content["text"]).length, 200_000);
  assert.match(String(content["note"]), /first 200000 bytes/);
});

test("an answer that never comes or drips for ever is a timeout", async () => {
  await using silent = await listening(createTcpServer(() => undefined));
  assert.equal(codeOf(await fetched(`http://127.0.0.1:${silent.port}/`, { milliseconds: 150 })), "timeout");
  await using dripping = await serving((_request, response) => response.write("x"));
  assert.equal(codeOf(await fetched(`http://127.0.0.1:${dripping.port}/`, { milliseconds: 150 })), "timeout");
});

test("an answer that breaks off, says more than it sends, or is not HTTP is an error and not half a text", async () => {
  for (const raw of [
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
    "SSH-2.0-OpenSSH\r\n",
    "",
  ]) {
    await using server = await sending(raw);
    assert.equal(codeOf(await fetched(`http://127.0.0.1:${server.port}/`)), "not-fetched", raw);
  }
});

test("stopping ends a fetch at once", async () => {
  await using silent = await listening(createTcpServer(() => controller.abort()));
  const controller = new AbortController();
  const prepared = await prepareCall(
    makeFetchUrlTool({ resolveHost: nobody }),
    { url: `http://127.0.0.1:${silent.port}/` },
    callerAt(null),
  );
  assert.equal(codeOf(await prepared.run(controller.signal)), "cancelled");
});
