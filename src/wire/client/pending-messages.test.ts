import assert from "node:assert/strict";
import { test } from "node:test";
import { makePendingMessages, type PendingMessage } from "./pending-messages.ts";

const kept = (id: string): PendingMessage => ({ id, message: { type: "event", id } });
const ids = (all: readonly PendingMessage[]): readonly string[] => all.map(({ id }) => id);

test("without a connection nothing is sent and everything is kept", () => {
  const unaccepted = makePendingMessages();
  assert.deepEqual([unaccepted.add(kept("a")), unaccepted.add(kept("b"))], [[], []]);
  assert.deepEqual(ids(unaccepted.all()), ["a", "b"]);
});

test("a new connection gets all messages that were not accepted, in order", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  for (const id of ["a", "b", "c"]) assert.deepEqual(ids(unaccepted.add(kept(id))), [id]);
  unaccepted.markAccepted("b");
  assert.equal(unaccepted.disconnected(false), null);
  assert.deepEqual(ids(unaccepted.connected()), ["a", "c"]);
});

test("after an error that one of several messages may have caused, they are sent one at a time, and a message that fails alone is dropped", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  for (const id of ["a", "bad", "c"]) unaccepted.add(kept(id));
  assert.equal(unaccepted.disconnected(true), null);
  assert.deepEqual(ids(unaccepted.connected()), ["a"]);
  assert.deepEqual(ids(unaccepted.add(kept("d"))), []);
  assert.deepEqual(ids(unaccepted.markAccepted("a")), ["bad"]);
  assert.equal(unaccepted.disconnected(true)?.id, "bad");
  assert.deepEqual(ids(unaccepted.connected()), ["c"]);
  assert.deepEqual(ids(unaccepted.markAccepted("c")), ["d"]);
  assert.deepEqual(ids(unaccepted.markAccepted("d")), []);
  assert.deepEqual(unaccepted.all(), []);
});

test("a connection that is lost without an error blames no message", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  unaccepted.add(kept("a"));
  for (let count = 0; count < 5; count += 1) {
    assert.equal(unaccepted.disconnected(false), null);
    assert.deepEqual(ids(unaccepted.connected()), ["a"]);
  }
});

test("a single message is sent once more before it is dropped", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  unaccepted.add(kept("a"));
  assert.equal(unaccepted.disconnected(true), null);
  assert.deepEqual(ids(unaccepted.connected()), ["a"]);
  assert.equal(unaccepted.disconnected(true)?.id, "a");
});
