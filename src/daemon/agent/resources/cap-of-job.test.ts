import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openSampleState, sampleSignal } from "../../../memory/state/samples.fixture.ts";
import { noCallCaps } from "../../../signal/jobs/call-caps.ts";
import type { Signal } from "../../../signal/signal.ts";
import { capOfJob, sessionNameOf } from "./cap-of-job.ts";

const held = { perTurn: 250_000, run: "report", calls: { models: 2, tools: 3 } };
const root = mkdtempSync(join(tmpdir(), "cap-of-job-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("a run in the session of a job has the job's cap in place of the session's; the owner's words there have no cap of a run, and other sessions have neither", async () => {
  await using state = await openSampleState(join(root, "state"));
  const open = async (name: string) =>
    (await state.sessions.open({ name, workspace: null, source: "cli" })).id;
  const session = await open(sessionNameOf("report"));
  const [talk, alike] = [await open("garden"), await open(sessionNameOf("other"))];
  await state.jobs.keep({
    name: "report",
    trigger: { kind: "cron", expression: "0 9 * * *", zone: null },
    work: {
      kind: "words",
      tier: "cognition",
      text: "report",
      session,
      digest: "d",
      workspace: null,
      steps: [],
      spendingCap: 250_000,
      calls: { models: 2, tools: 3 },
    },
    catchUp: "once",
    grace: 0,
    overlap: "skip",
    attempts: 1,
    limit: 1000,
  });
  const turnOf = async (changes: Partial<Signal>) =>
    (await state.accept(sampleSignal({ session, ...changes }), 10)).turn.id;
  const run = await turnOf({ sensor: "cron", person: "nobody" });
  assert.deepEqual(await capOfJob(state, { session, turn: run }), held);
  const words = await turnOf({ id: "signal-2" });
  assert.deepEqual(await capOfJob(state, { session, turn: words }), {
    perTurn: null,
    run: null,
    calls: noCallCaps,
  });
  for (const other of [talk, alike, "none"])
    assert.equal(await capOfJob(state, { session: other, turn: run }), null);
  // Its name is the owner's to change, and changes nothing of the cap.
  await state.sessions.rename(session, "mornings");
  assert.deepEqual(await capOfJob(state, { session, turn: run }), held);
});
