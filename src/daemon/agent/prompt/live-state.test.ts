import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSampleState, sampleApproval, sampleSignal } from "../../../memory/state/samples.fixture.ts";
import { emptyContext } from "../../../reason/prompt/context.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { makeLiveState } from "./live-state.ts";

test("the duration of a session is counted from its beginning, and the open questions are counted", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "live-state-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const time = { now: Date.UTC(2026, 0, 1, 12) };
  const clock = (): number => time.now;
  await using state = await openSampleState(folder, { clock });
  const session = await state.sessions.open({ name: null, workspace: null, source: "cli" });
  const live = makeLiveState({
    taught: async () => [],
    appointments: async () => [],
    rules: () => 0,
    onContext: () => undefined,
    state,
    clock,
    context: async () => emptyContext,
    lostNotes: async () => [],
    logLimit: 5,
  });
  time.now += 41 * 60_000;
  const { turn } = await state.accept(sampleSignal({ session: session.id }), 50);
  const first = await live(turn);
  assert.equal(first.time.now - first.time.sessionStart, 41 * 60_000);
  assert.equal(first.pendingApprovals, 0);
  await state.commit({ turn: { ...turn, state: "thinking" } });
  const { tokenHash } = state.approvals.newToken();
  const approval = sampleApproval(turn.id, tokenHash, { session: session.id, expiresAt: time.now + 1000 });
  await state.commit({ turn: { ...turn, state: "suspended" }, approval });
  const { turn: next } = await state.accept(sampleSignal({ id: "signal-2", session: session.id }), 50);
  assert.equal((await live(next)).pendingApprovals, 1);
});

test("at a heartbeat no notes are looked for, whoever waits for it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "live-state-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await using state = await openSampleState(folder, { clock: () => 0 });
  const session = await state.sessions.open({ name: null, workspace: null, source: "cli" });
  const asked: string[] = [];
  const live = makeLiveState({
    taught: async () => [{ skill: "water", text: "Water the ferns.", label: bottomLabel }],
    appointments: async () => assert.fail("nobody needs the appointments"),
    rules: () => 0,
    onContext: () => undefined,
    state,
    clock: () => 0,
    context: async ({ words }) => {
      asked.push(words);
      return emptyContext;
    },
    lostNotes: async () => [],
    logLimit: 5,
  });
  const events = { listed: ["heartbeat"], private: [], more: 0 };
  const job = { person: "nobody", sensor: "cron", payload: { job: "water", events } } as const;
  const { turn } = await state.accept(sampleSignal({ session: session.id, ...job }), 50);
  assert.equal((await live(turn)).taught.length, 1);
  assert.deepEqual(asked, []);
});
