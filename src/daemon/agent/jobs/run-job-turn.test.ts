import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openSampleState, sampleResult } from "../../../memory/state/samples.fixture.ts";
import { needsOwner } from "../../../signal/jobs/call-caps.ts";
import type { Job, JobRun } from "../../../signal/jobs/job.ts";
import { folderGone } from "../../../signal/jobs/refusal-codes.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { Turn } from "../../../signal/turn.ts";
import { capOfJob, sessionNameOf } from "../resources/cap-of-job.ts";
import { type JobTurnParts, runJobTurn } from "./run-job-turn.ts";

const caps = { models: 3, tools: null };

/** A job with caps in a state, and a loop in which its turns end as they are told to. */
async function openJob(t: TestContext, endings: readonly Partial<Turn>[]) {
  const folder = mkdtempSync(join(tmpdir(), "run-job-turn-"));
  const state = await openSampleState(folder);
  t.after(async () => {
    await state[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const { id: session } = await state.sessions.open({
    name: sessionNameOf("report"),
    workspace: null,
    source: "cli",
  });
  const job: Job = {
    name: "report",
    trigger: { kind: "events" },
    work: {
      kind: "words",
      tier: "reasoning",
      text: "Report.",
      session,
      digest: "d",
      workspace: null,
      steps: [],
      spendingCap: 100,
      calls: caps,
    },
    catchUp: "once",
    grace: 0,
    overlap: "skip",
    attempts: 3,
    limit: 60_000,
  };
  await state.jobs.keep(job);
  await state.jobs.runs.enqueue("report");
  const [first] = await state.jobs.runs.begin("asks-model", 1);
  const kept = await state.jobs.get("report");
  assert.ok(first !== undefined && kept !== null);
  const left = [...endings];
  const loop: JobTurnParts["loop"] = {
    async submit(signal) {
      const { turn, fresh } = await state.accept(signal, 10);
      const ending = left[0];
      if (fresh && ending !== undefined) await state.commit({ turn: { ...turn, ...left.shift() } });
      return { kind: "turn", turn: turn.id, session, fresh };
    },
    whenSettled: async () => undefined,
    stopTurn: async () => false,
  };
  const parts: JobTurnParts = { state, loop, clock: Date.now, secrecyOf: async () => [] };
  const attempt = (number: number, changed: Partial<JobTurnParts["state"]> = {}) =>
    runJobTurn(
      { ...parts, state: { ...state, ...changed } },
      { job: kept, run: { ...first, attempt: number } satisfies JobRun, label: bottomLabel },
      new AbortController().signal,
    );
  return { state, session, attempt, left };
}

test("the attempts of a run have its caps together", async (t) => {
  const exhausted = { state: "failed", text: "No provider could answer.", code: "exhausted" } as const;
  const { state, session, attempt } = await openJob(t, [exhausted, exhausted]);
  const spend = async (turn: string, microdollars: number) => {
    const { earlierTurns = [], perTurn, calls } = (await capOfJob(state, { session, turn })) ?? assert.fail();
    const limits = { perDay: null, perSession: null, perTurn, calls: calls.models };
    const price = { from: "setting", day: null } as const;
    const wanted = { session, turn, provider: "loop", model: "m", price, microdollars, limits, earlierTurns };
    const reserved = await state.ledger.reserve(wanted);
    if (reserved.ok)
      await state.ledger.release(reserved.id, "broke off", { inputTokens: 1, outputTokens: 0, microdollars });
    return reserved;
  };
  const turnOf = async (number: number) => {
    assert.equal((await attempt(number)).again, true);
    const [run] = await state.jobs.runs.list({ job: "report", most: 1 });
    return run?.turn ?? assert.fail();
  };
  const first = await turnOf(0);
  assert.equal((await spend(first, 50)).ok, true);
  const second = await turnOf(1);
  assert.notEqual(second, first);
  assert.partialDeepStrictEqual(await spend(second, 60), { ok: false, cap: "turn", remaining: 50 });
  assert.equal((await spend(second, 10)).ok, true);
  assert.equal((await spend(second, 10)).ok, true);
  assert.partialDeepStrictEqual(await spend(second, 10), { ok: false, mostCalls: 3 });
});

test("where what follows a turn fails, the next attempt takes that turn and does nothing again", async (t) => {
  const answered = { state: "answered", text: "Reported.", code: "" } as const;
  const { state, attempt, left } = await openJob(t, [answered, answered]);
  const drop = () => Promise.reject(new Error("The disk is full."));
  const failing = { flightPlans: { ...state.flightPlans, drop } };
  await assert.rejects(attempt(0, failing), /The disk is full/);
  await assert.rejects(attempt(0, failing), /The disk is full/);
  assert.deepEqual(await attempt(1), { state: "done", reason: "Reported." });
  assert.equal(left.length, 1);
});

test("a run whose last calls were refused has failed and says why, whatever its answer says; a refusal that was made good does not count", async (t) => {
  const made = { status: "success", content: "text" } as const;
  const forbidden = {
    status: "error",
    code: "blocked",
    message: "Not allowed: it is a secret path",
  } as const;
  const gone = { status: "error", code: folderGone, message: "The folder is gone." } as const;
  const missing = { status: "error", code: "not-found", message: "There is no a.txt." } as const;
  const cases = [
    [[forbidden], "Its last call was refused and did nothing. Not allowed: it is a secret path."],
    [[made, gone, gone], "Its last 2 calls were refused and did nothing. The folder is gone."],
    [[forbidden, made], null],
    [[missing], null],
    [[], null],
  ] as const;
  for (const [outcomes, why] of cases) {
    const messages = outcomes.map((outcome) => {
      const result = sampleResult("r", "", { label: bottomLabel, outcome });
      return { role: "result", callId: "c", native: true, result } as const;
    });
    const { attempt } = await openJob(t, [{ state: "answered", text: "Written.", code: "", messages }]);
    const said = why === null ? "Written." : `${why} Its answer, which may not know that: Written.`;
    assert.deepEqual(await attempt(0), { state: why === null ? "done" : "failed", reason: said });
  }
});

for (const [secrecy, why] of [
  ["public", "Not allowed: rm is not known to be harmless."],
  ["secret", "The reason is not kept: it may name what is secret."],
] as const) {
  test(`a run without a folder that needed the owner says why (${secrecy}) in a sentence, and how the job gets a folder`, async (t) => {
    const label: Label = { ...bottomLabel, secrecy };
    const message = "Not allowed: rm is not known to be harmless.";
    const outcome = { status: "error", code: needsOwner, message } as const;
    const result = sampleResult("r", "", { label, outcome });
    const messages = [{ role: "result", callId: "c", native: true, result }] as const;
    const { attempt } = await openJob(t, [{ state: "answered", text: "I may not.", code: "", messages }]);
    assert.deepEqual(await attempt(0), {
      state: "put-off",
      reason: `It needs your yes. ${why} It works in no folder. To give it one, write ':FOLDER: DIR' into the properties of its entry in jobs.org, then: passepartout jobs add report`,
    });
  });
}
