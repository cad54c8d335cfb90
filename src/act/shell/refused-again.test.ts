import assert from "node:assert/strict";
import { test } from "node:test";
import { RefusedAgain } from "./refused-again.ts";

test("a command waits for a place if it is refused there again 5 seconds later, without output in between", () => {
  let now = 0;
  const waits = new RefusedAgain(() => now);
  const at = (time: number, act: () => void) => {
    now = time;
    act();
    return waits.signal.aborted;
  };
  assert.equal(
    at(0, () => waits.refused("a:443")),
    false,
  );
  assert.equal(
    at(4999, () => waits.refused("a:443")),
    false,
  );
  assert.equal(
    at(6000, () => waits.refused("b:443")),
    false,
  );
  assert.equal(
    at(7000, () => waits.printed()),
    false,
  );
  assert.equal(
    at(8000, () => waits.refused("a:443")),
    false,
  );
  assert.equal(
    at(12_999, () => waits.refused("a:443")),
    false,
  );
  assert.equal(
    at(13_000, () => waits.refused("a:443")),
    true,
  );
  assert.equal(waits.signal.reason, "a:443");
});
