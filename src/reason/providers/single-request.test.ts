import assert from "node:assert/strict";
import { test } from "node:test";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { makeSingleRequest } from "./single-request.ts";

test("a request is sent once, and only to its provider's origin", async () => {
  await using server = await startLoopbackProvider([{ status: 500, repeat: true }]);
  const single = makeSingleRequest(`${server.url}/v1`);
  await assert.rejects(single.fetch("http://127.0.0.1:9999/v1/messages"), /does not belong/);
  await single.fetch(`${server.url}/v1/messages`);
  await assert.rejects(single.fetch(`${server.url}/v1/messages`), /second request/);
  assert.equal(server.requests.length, 1);
});

test("of an answer that comes at once, at most 4096 bytes are handed over in one turn of the event loop", async () => {
  await using server = await startLoopbackProvider([{ status: 200, body: "x".repeat(1_000_000) }]);
  const response = await makeSingleRequest(`${server.url}/v1`).fetch(`${server.url}/v1/messages`);
  const turn = { most: 0, bytes: 0, over: false };
  const next = (): void => {
    turn.most = Math.max(turn.most, turn.bytes);
    turn.bytes = 0;
    if (!turn.over) setImmediate(next);
  };
  next();
  let whole = 0;
  for await (const bytes of response.body ?? []) {
    turn.bytes += bytes.length;
    whole += bytes.length;
  }
  turn.over = true;
  assert.equal(whole, 1_000_000);
  assert.ok(turn.most <= 2 * 4096, `${turn.most} bytes in one turn`);
});
