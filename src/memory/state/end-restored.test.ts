import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Job } from "../../signal/jobs/job.ts";
import { noon, openSampleState, sampleApproval, sampleSignal } from "./samples.fixture.ts";

const hour = 3_600_000;
const daily: Job = {
  name: "daily",
  trigger: { kind: "cron", expression: "0 9 * * *", zone: "UTC" },
  work: { kind: "built-in", does: "sweeps" },
  catchUp: "once",
  grace: 100 * hour,
  overlap: "skip",
  attempts: 3,
  limit: hour,
};

test("a restored state ends its turns, questions and runs once: each stays in its session, and what was due is missed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "end-restored-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await using state = await openSampleState(folder, { clock: () => noon });
  const queued = await state.accept(sampleSignal({ session: "a", text: "pay the rent" }), 50);
  const asked = await state.accept(sampleSignal({ session: "b", text: "push it", clientId: "two" }), 50);
  const { token, tokenHash } = state.approvals.newToken();
  await state.commit({ turn: { ...asked.turn, state: "thinking" } });
  await state.commit({ turn: { ...asked.turn, state: "judging" } });
  await state.commit({
    turn: { ...asked.turn, state: "suspended" },
    approval: sampleApproval(asked.turn.id, tokenHash, { session: "b", expiresAt: noon + hour }),
  });
  await state.jobs.keep(daily, { last: noon - 30 * hour, next: noon - 3 * hour, zone: "UTC" });
  await state.jobs.runs.enqueue("daily");
  await state.begunUndo.set({ command: "undo" });
  assert.deepEqual(await state.endRestored(), []);
  assert.equal((await state.turns.unfinished()).length, 2);
  await state.restored.set(true);
  assert.deepEqual(await state.endRestored(), [
    '"pay the rent" (session a)',
    '"push it" (session b, its question too)',
    "what was due of the job daily",
    "an undo that was under way",
  ]);
  assert.equal(await state.begunUndo.get(), null);
  assert.deepEqual(await state.endRestored(), []);
  assert.deepEqual(await state.turns.unfinished(), []);
  assert.equal((await state.approvals.byToken(token))?.state, "void");
  for (const [session, { turn }] of [
    ["a", queued],
    ["b", asked],
  ] as const) {
    const [answer] = await state.outbox.undelivered(session);
    assert.equal(answer?.turn, turn.id);
    assert.match(answer?.text ?? "", /not done again/);
  }
  const runs = await state.jobs.runs.list({ most: 5 });
  assert.deepEqual(
    runs.map(({ state: end }) => end),
    ["missed"],
  );
  assert.equal((await state.jobs.get("daily"))?.last, noon);
});
