import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as soon } from "node:timers/promises";
import type { ThinkResult } from "../reason/think.ts";
import { LlmError } from "../signal/failure.ts";
import { takenBackCode } from "../signal/turn.ts";
import { loopWith } from "./loop-with.fixture.ts";

test("a stop ends what waits before it begins, however long the programs of the session take to end", async (t) => {
  let begun = 0;
  const world = await loopWith(t, {
    think: (_, __, cancel) => {
      begun += 1;
      const { promise, resolve } = Promise.withResolvers<ThinkResult>();
      const error = new LlmError("stopped", { provider: "one", cascade: ["one"], attempts: 1 });
      cancel.addEventListener("abort", () => resolve({ kind: "failure", code: "cancelled", error }));
      return promise;
    },
    endPrograms: async () => {
      for (let turn = 0; turn < 100; turn += 1) await soon();
      return false;
    },
  });
  const { loop, state, session, events, reports, say } = world;
  const said = [say(), say({ text: "second" }), say({ text: "steer it", payload: { steer: true } })];
  while (begun === 0 || (await state.turns.unfinished()).length < 3) await soon();
  await loop.stop(session);
  await Promise.all(said);
  assert.deepEqual(reports, []);
  assert.equal(begun, 1);
  assert.deepEqual(events.flatMap((event) => (event.type === "stopped" ? [event.code] : [])).toSorted(), [
    "stopped",
    takenBackCode,
    takenBackCode,
  ]);
  assert.deepEqual(await state.turns.unfinished(), []);
});
