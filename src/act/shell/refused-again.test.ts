import assert from "node:assert/strict";
import { test } from "node:test";
import { RefusedAgain } from "./refused-again.ts";

/** Refusals at some times; `work` is what was done by then. */
function watch() {
  const world = { now: 0, work: { processor: 0, changed: 0 } };
  const waits = new RefusedAgain(
    () => world.now,
    async () => world.work,
  );
  const refused = async (now: number, place: string, work = world.work): Promise<boolean> => {
    Object.assign(world, { now, work });
    await waits.refused(place);
    return waits.signal.aborted;
  };
  return { waits, refused };
}

test("a command waits for a place if it is refused there again 5 seconds later, without output in between", async () => {
  const { waits, refused } = watch();
  assert.equal(await refused(0, "a:443"), false);
  assert.equal(await refused(4999, "a:443"), false);
  assert.equal(await refused(6000, "b:443"), false);
  waits.printed();
  assert.equal(await refused(8000, "a:443"), false);
  assert.equal(await refused(12_999, "a:443"), false);
  assert.equal(await refused(13_000, "a:443"), true);
  assert.equal(waits.signal.reason, "a:443");
});

test("a command that used a processor or changed a file between two refusals does not only wait", async () => {
  const { refused } = watch();
  await refused(0, "a:443");
  assert.equal(await refused(5000, "a:443", { processor: 1300, changed: 0 }), false);
  assert.equal(await refused(10_000, "a:443", { processor: 1400, changed: 7 }), false);
  assert.equal(await refused(15_000, "a:443", { processor: 2600, changed: 7 }), true);
});
