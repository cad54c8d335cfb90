import assert from "node:assert/strict";
import { test } from "node:test";
import { makePendingMessages, type PendingMessage } from "./pending-messages.ts";

const kept = (id: string): PendingMessage => ({ id, message: { type: "event", id } });
const ids = (all: readonly PendingMessage[]): readonly string[] => all.map(({ id }) => id);

test("without a link nothing is sent and everything is kept", () => {
  const unaccepted = makePendingMessages();
  assert.deepEqual([unaccepted.add(kept("a")), unaccepted.add(kept("b"))], [[], []]);
  assert.deepEqual(ids(unaccepted.all()), ["a", "b"]);
});

test("a new link gets all that was not accepted, in order", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  for (const id of ["a", "b", "c"]) assert.deepEqual(ids(unaccepted.add(kept(id))), [id]);
  unaccepted.markAccepted("b");
  assert.equal(unaccepted.disconnected(false), null);
  assert.deepEqual(ids(unaccepted.connected()), ["a", "c"]);
});

test("after an error that one of several may have caused they go one at a time, and what fails alone is given up", () => {
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

test("a link that is lost without an error blames nobody", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  unaccepted.add(kept("a"));
  for (let count = 0; count < 5; count += 1) {
    assert.equal(unaccepted.disconnected(false), null);
    assert.deepEqual(ids(unaccepted.connected()), ["a"]);
  }
});

test("a single message is repeated once before it is given up", () => {
  const unaccepted = makePendingMessages();
  unaccepted.connected();
  unaccepted.add(kept("a"));
  assert.equal(unaccepted.disconnected(true), null);
  assert.deepEqual(ids(unaccepted.connected()), ["a"]);
  assert.equal(unaccepted.disconnected(true)?.id, "a");
});
