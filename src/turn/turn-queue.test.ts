import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnQueue } from "./turn-queue.ts";

test("a turn that is withdrawn ends when its state says so, and what was said after it begins then", async () => {
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const queue = new TurnQueue({
    run: async (id) => {
      ran.push(id);
      if (id === "first") await first.promise;
    },
    report: assert.fail,
  });
  for (const id of ["first", "second", "third"]) queue.add({ id, session: "s", signal: { person: "owner" } });
  const told = Promise.withResolvers<void>();
  let hasEnded = false;
  const end = queue.endOf("second")?.then(() => {
    hasEnded = true;
  });
  queue.withdraw("second", told.promise);
  first.resolve();
  await queue.endOf("first");
  await new Promise(setImmediate);
  assert.deepEqual([hasEnded, ran], [false, ["first"]]);
  told.resolve();
  await end;
  await queue.whenIdle();
  assert.deepEqual(ran, ["first", "third"]);
});
