import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { checkPort } from "./check-service.ts";

test("another program on the port of a daemon is named where none runs, with how to start one nevertheless, and is no fault of this machine", async (t) => {
  const server = createServer((socket) => socket.end());
  const listening = Promise.withResolvers<void>();
  // Where something listens there already, that is the other program.
  server.once("listening", listening.resolve).once("error", () => listening.resolve());
  server.listen(9105, "127.0.0.1");
  await listening.promise;
  t.after(() => server.close());
  const none = {
    name: "daemon",
    result: "ok",
    text: "none runs, so each command runs the agent itself",
  } as const;
  const [found] = await checkPort(none);
  assert.equal(found?.result, "ok");
  assert.match(found?.text ?? "", /another program listens on port 9105.*passepartout daemon --port 0/);
  assert.deepEqual(await checkPort({ ...none, text: "answers" }), []);
});
