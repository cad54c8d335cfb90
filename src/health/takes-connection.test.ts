import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { takesConnection } from "./takes-connection.ts";

test("a port takes connections where something listens, also if this process was busy while the connection came", async (t) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const taken = takesConnection("127.0.0.1", address.port, 20);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  assert.equal(await taken, true);
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await takesConnection("127.0.0.1", address.port), false);
});
