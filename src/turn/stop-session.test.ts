import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as soon } from "node:timers/promises";
import type { ThinkResult } from "../reason/think.ts";
import { LlmError } from "../signal/failure.ts";
import { bottomLabel } from "../signal/label.ts";
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

test("a stop ends what a call prepares, which tells its owner meanwhile how it goes on, and nothing more is prepared", async (t) => {
  const prepared: string[] = [];
  const call = (id: string) => ({
    id,
    action: { type: "request", target: "tool", payload: { tool: "one", args: {} }, explanation: "" } as const,
  });
  const world = await loopWith(t, {
    think: async () => ({
      kind: "thought",
      thought: { kind: "calls", note: "", calls: [call("c1"), call("c2")], native: true },
      text: "",
      provider: "one",
      raw: null,
      label: bottomLabel,
    }),
    callerOf: async (turn) => ({
      turn: turn.id,
      session: turn.session,
      person: "owner",
      source: turn.signal.source,
      startedBy: "person",
      workspace: null,
      known: new Map(),
      promptLabel: bottomLabel,
    }),
    prepare: (action, { call: id = "", waiting }) => {
      prepared.push(id);
      waiting?.notice("Looking through a large folder.");
      const refused = { ok: false, action, code: "prepare-failed", message: "stopped" } as const;
      const { promise, resolve } = Promise.withResolvers<typeof refused>();
      waiting?.cancel.addEventListener("abort", () => resolve(refused));
      return promise;
    },
  });
  const { loop, session, events, say } = world;
  const said = say();
  while (prepared.length === 0) await soon();
  await loop.stop(session);
  await said;
  assert.deepEqual(prepared, ["0/c1"]);
  assert.ok(events.some((event) => event.type === "thinking" && /large folder/.test(event.text)));
  assert.equal(events.at(-1)?.type, "stopped");
  assert.ok(!events.some(({ type }) => type === "proposed"));
});
