import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { checkPort } from "./check-service.ts";
import { describeHung } from "./describe-hung.ts";

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

test("a daemon that does not answer in time is left alone while it works; kill -9 is the last advice", () => {
  const told = (state: string, ticks: number) =>
    describeHung({
      socketPath: "/run/s",
      patience: 5000,
      holder: 42,
      before: { state: "S", ticks: 100 },
      now: { state, ticks },
    });
  for (const [state, ticks, first] of [
    ["S", 130, "process 42 lives and is busy, or the machine is. Wait, and look again in a minute."],
    ["R", 100, "process 42 lives and is busy, or the machine is. Wait, and look again in a minute."],
    ["D", 100, "process 42 lives and is busy, or the machine is. Wait, and look again in a minute."],
    ["T", 100, "process 42 is stopped. Let it go on with: kill -CONT 42."],
    ["S", 100, "process 42 lives and does nothing. Look again in a minute."],
  ] as const) {
    const text = told(state, ticks);
    assert.ok(
      text.startsWith(`what listens at /run/s takes connections and does not answer within 5 s: ${first}`),
      text,
    );
    assert.match(text, /end it with: kill 42\. Only if it is still there a minute later: kill -9 42\./);
  }
  const unknown = describeHung({
    socketPath: "/run/s",
    patience: 5000,
    holder: null,
    before: null,
    now: null,
  });
  assert.match(unknown, /Look again in a minute/);
  assert.doesNotMatch(unknown, /kill/);
});
