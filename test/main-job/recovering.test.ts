import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { handleCrash } from "../../src/crash.ts";
import type { DriveParts, Recovery } from "../../src/drive-parts.ts";
import { driveTurn } from "../../src/drive-turn.ts";
import { openSample, sampleSignal } from "../../src/memory/samples.ts";
import type { State } from "../../src/memory/state.ts";
import type { PassepartoutError } from "../../src/signal/failure.ts";
import { LlmError } from "../../src/signal/failure.ts";
import type { JournalRecord } from "../../src/signal/journal-entry.ts";
import type { Verdict } from "../../src/signal/verdict.ts";

const verdict = (word: Verdict["verdict"]): Verdict => ({ verdict: word, reason: "", trace: [], asks: [] });
const silence = new LlmError("nobody answers", { provider: "loop", cascade: ["loop"], attempts: 2 });
const never = new AbortController().signal;

async function openFolder(t: TestContext): Promise<State> {
  const folder = mkdtempSync(join(tmpdir(), "recovering-"));
  const state = await openSample(join(folder, "state"));
  t.after(async () => {
    await state[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return state;
}

/** The parts of a loop whose one provider fails, and whose handler chooses as it is told. */
function failing(
  state: State,
  given: { readonly choice: Recovery | null; readonly telling?: Verdict["verdict"] },
) {
  const asked: PassepartoutError[] = [];
  const journal: Partial<JournalRecord>[] = [];
  const parts: DriveParts = {
    state,
    clock: () => 1,
    newId: randomUUID,
    judge: () => verdict("block"),
    prepare: async (action) => ({ ok: false, action, code: "none", message: "" }),
    askerOf: () => Promise.reject(new Error("nothing is asked here")),
    think: async () => ({ kind: "failure", code: "exhausted", error: silence }),
    judgeTelling: async () => verdict(given.telling ?? "pass"),
    filter: (text) => text,
    journal: async (record) => void journal.push(record),
    snapshot: async () => undefined,
    recover: (error) => {
      asked.push(error);
      return given.choice;
    },
    isMessageActuator: () => false,
    isSilent: () => false,
    digestOfFile: async () => null,
    depthLimit: () => 10,
    approvalExpiry: 1000,
    wait: async () => undefined,
    emit: () => undefined,
    stopping: never,
  };
  return { parts, asked, journal };
}

async function endOf(t: TestContext, choice: Recovery | null, telling: Verdict["verdict"] = "pass") {
  const state = await openFolder(t);
  const { parts, asked } = failing(state, { choice, telling });
  const { turn } = await state.accept(sampleSignal(), 10);
  await driveTurn(parts, turn, never);
  const ended = await state.turns.get(turn.id);
  return { asked, state: ended?.state, code: ended?.code, text: ended?.text };
}

test("the recovery handler is asked with the typed error, and without a choice the turn fails with it", async (t) => {
  const ended = await endOf(t, null);
  assert.deepEqual(ended.asked, [silence]);
  assert.deepEqual([ended.state, ended.code, ended.text], ["failed", "exhausted", silence.message]);
});

test("a handler that skips the signal ends the turn, and says so", async (t) => {
  const ended = await endOf(t, { choice: "skip-signal" });
  assert.deepEqual([ended.state, ended.code], ["stopped", "skipped"]);
  assert.match(ended.text ?? "", /^Skipped: .*nobody answers/);
});

test("a handler that aborts the pipeline ends the turn with the reason", async (t) => {
  const ended = await endOf(t, { choice: "abort-pipeline" });
  assert.deepEqual([ended.state, ended.code], ["stopped", "aborted"]);
  assert.match(ended.text ?? "", /^Ended: .*nobody answers/);
});

test("a fallback that may not be told is not told: no handler turns a verdict", async (t) => {
  const ended = await endOf(t, { choice: "use-fallback", text: "All is well." }, "block");
  assert.deepEqual([ended.state, ended.text], ["failed", silence.message]);
});

test("a crash is a loop-error at depth 0 and 1, and deeper it is only told", async (t) => {
  const events: unknown[] = [];
  for (const depth of [0, 1, 2]) {
    const state = await openFolder(t);
    const { parts, journal } = failing(state, { choice: null });
    const { turn } = await state.accept(sampleSignal({ depth }), 10);
    const told: string[] = [];
    const crash = { revert: async () => [], report: (message: string) => void told.push(message) };
    await handleCrash({ ...crash, drive: parts }, turn.id, new Error("out of order"));
    events.push(journal[0]?.detail?.["event"]);
    assert.match(told.join(), /out of order/);
    assert.equal((await state.turns.get(turn.id))?.state, "failed");
  }
  assert.deepEqual(events, ["loop-error", "loop-error", "crash"]);
});
