import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSampleState } from "./samples.fixture.ts";

test("what was booked while the clock was years ahead counts for no day of now", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "future-clock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let now = Date.parse("2046-05-05T12:00:00Z");
  await using state = await openSampleState(folder, { clock: () => now });
  const reserve = () =>
    state.ledger.reserve({
      turn: "t1",
      session: "s1",
      provider: "p",
      model: "m",
      price: { from: "setting", day: null },
      microdollars: 60,
      limits: { perDay: 100, perSession: null, perTurn: null },
    });
  assert.equal((await reserve()).ok, true);
  now = Date.parse("2026-05-05T12:00:00Z");
  assert.equal((await reserve()).ok, true);
  assert.equal((await reserve()).ok, false);
});
