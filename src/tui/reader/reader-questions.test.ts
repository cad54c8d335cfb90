import assert from "node:assert/strict";
import { test } from "node:test";
import { edit, openReader, write } from "../reader.fixture.ts";

test("a number answers the question that was read out last, and no other one", () => {
  const { lines, turn, reader, client, time } = openReader();
  for (const name of ["one", "two", "three"]) {
    const action = { ...edit, payload: { tool: "edit-file", args: { path: `${name}.txt` } } };
    turn(name).asks({ token: name, action, effects: [write], text: "new", "expires-at-ms": 9e12 });
  }
  const approved = (): readonly string[] =>
    client.sent.flatMap(({ payload }) => /approve.*"token":"(\w+)"/.exec(JSON.stringify(payload))?.[1] ?? []);
  const isRead = (name: string): boolean => lines.join("").includes(`${name}.txt`);
  assert.deepEqual([isRead("one"), isRead("two")], [true, false]);
  assert.match(lines.join(""), /Notice: Another question waits\. It is read out once/);
  time.now += 1_000;
  turn("one").thinking();
  assert.deepEqual([isRead("two"), isRead("three")], [true, false]);
  reader.enter("1", false);
  assert.deepEqual(approved(), [], "it was typed for the question before");
  assert.match(lines.join(""), /so nothing was answered/);
  time.now += 1_000;
  reader.enter("1", false);
  assert.equal(isRead("three"), true);
  reader.enter("1", false);
  assert.deepEqual(approved(), ["two"], "a number that was typed twice");
});
