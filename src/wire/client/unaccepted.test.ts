import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kept, makeUnaccepted } from "./unaccepted.ts";

const kept = (id: string): Kept => ({ id, message: { type: "event", id } });
const ids = (all: readonly Kept[]): readonly string[] => all.map(({ id }) => id);

test("without a link nothing is sent and everything is kept", () => {
  const unaccepted = makeUnaccepted();
  assert.deepEqual([unaccepted.add(kept("a")), unaccepted.add(kept("b"))], [[], []]);
  assert.deepEqual(ids(unaccepted.all()), ["a", "b"]);
});

test("a new link gets all that was not accepted, in order", () => {
  const unaccepted = makeUnaccepted();
  unaccepted.repeat();
  for (const id of ["a", "b", "c"]) assert.deepEqual(ids(unaccepted.add(kept(id))), [id]);
  unaccepted.accepted("b");
  assert.equal(unaccepted.lost(false), null);
  assert.deepEqual(ids(unaccepted.repeat()), ["a", "c"]);
});

test("after an error that one of several may have caused they go one at a time, and what fails alone is given up", () => {
  const unaccepted = makeUnaccepted();
  unaccepted.repeat();
  for (const id of ["a", "bad", "c"]) unaccepted.add(kept(id));
  assert.equal(unaccepted.lost(true), null);
  assert.deepEqual(ids(unaccepted.repeat()), ["a"]);
  assert.deepEqual(ids(unaccepted.add(kept("d"))), []);
  assert.deepEqual(ids(unaccepted.accepted("a")), ["bad"]);
  assert.equal(unaccepted.lost(true)?.id, "bad");
  assert.deepEqual(ids(unaccepted.repeat()), ["c"]);
  assert.deepEqual(ids(unaccepted.accepted("c")), ["d"]);
  assert.deepEqual(ids(unaccepted.accepted("d")), []);
  assert.deepEqual(unaccepted.all(), []);
});

test("a link that is lost without an error blames nobody", () => {
  const unaccepted = makeUnaccepted();
  unaccepted.repeat();
  unaccepted.add(kept("a"));
  for (let count = 0; count < 5; count += 1) {
    assert.equal(unaccepted.lost(false), null);
    assert.deepEqual(ids(unaccepted.repeat()), ["a"]);
  }
});

test("a single message is repeated once before it is given up", () => {
  const unaccepted = makeUnaccepted();
  unaccepted.repeat();
  unaccepted.add(kept("a"));
  assert.equal(unaccepted.lost(true), null);
  assert.deepEqual(ids(unaccepted.repeat()), ["a"]);
  assert.equal(unaccepted.lost(true)?.id, "a");
});
