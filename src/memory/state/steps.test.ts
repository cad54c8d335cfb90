import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { PipelineError } from "../../signal/failure.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { FinalState, Turn, TurnState } from "../../signal/turn.ts";
import type { OutboxAnswer } from "./outbox.ts";
import { noon, openSampleState, sampleApproval, sampleResult, sampleSignal } from "./samples.fixture.ts";
import { isAllowedTransition } from "./turn-transitions.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "state-"));
const answerTo = (turn: Turn, state: FinalState = "answered"): OutboxAnswer => ({
  id: `answer-${turn.id}`,
  session: turn.session,
  turn: turn.id,
  state,
  text: "done",
  at: noon,
  delivered: false,
});

test("an accepted signal is a queued turn that begins with the person's words", async () => {
  await using state = await openSampleState(folder());
  const { turn, fresh } = await state.accept(sampleSignal({ text: "what is due?" }), 50);
  assert.equal(fresh, true);
  assert.equal(turn.state, "queued");
  assert.equal(turn.depthLimit, 50);
  assert.deepEqual(turn.messages, [{ role: "user", text: "what is due?", label: bottomLabel }]);
  assert.deepEqual(await state.turns.get(turn.id), turn);
});

test("an accepted signal is there after the state is opened again", async () => {
  const place = folder();
  let id = "";
  {
    await using state = await openSampleState(place);
    id = (await state.accept(sampleSignal(), 50)).turn.id;
  }
  await using again = await openSampleState(place);
  assert.deepEqual(
    (await again.turns.unfinished()).map((turn) => turn.id),
    [id],
  );
});

test("the same client id in a session is one signal; in another session it is another", async () => {
  await using state = await openSampleState(folder());
  const first = await state.accept(sampleSignal({ clientId: "c1" }), 50);
  const second = await state.accept(sampleSignal({ id: "signal-2", clientId: "c1" }), 50);
  assert.deepEqual(second, { turn: first.turn, fresh: false });
  const other = await state.accept(sampleSignal({ id: "signal-3", clientId: "c1", session: "s2" }), 50);
  assert.equal(other.fresh, true);
});

test("other words under an id that was used are told apart from the same words again; nothing of them is taken", async () => {
  await using state = await openSampleState(folder());
  const first = await state.accept(sampleSignal({ clientId: "c1", payload: { text: "one" } }), 50);
  const other = await state.accept(sampleSignal({ clientId: "c1", payload: { text: "two" } }), 50);
  assert.deepEqual(other, { turn: first.turn, fresh: false, clash: true });
  assert.equal((await state.turns.unfinished()).length, 1);
});

test("a repetition of what was forgotten since is not taken in again", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal({ clientId: "c1", payload: { text: "one" } }), 50);
  const over: Turn = { ...turn, state: "answered", text: "yes" };
  await state.commit({ turn: { ...turn, state: "thinking" } });
  await state.commit({ turn: over, answer: answerTo(over) });
  await state.forget(
    { id: turn.id, files: [], versions: [], edits: [], grown: null },
    { turn: null, session: turn.session },
  );
  const again = await state.accept(sampleSignal({ clientId: "c1", payload: { text: "one" } }), 50);
  assert.deepEqual([again.fresh, again.clash], [false, undefined]);
});

test("signals without a client id are never taken for one another", async () => {
  await using state = await openSampleState(folder());
  await state.accept(sampleSignal(), 50);
  assert.equal((await state.accept(sampleSignal({ id: "signal-2" }), 50)).fresh, true);
  assert.equal((await state.turns.unfinished()).length, 2);
});

test("a step keeps the turn, its answer, results and changes together", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  const done: Turn = { ...turn, state: "answered", text: "done" };
  await state.commit({
    turn: done,
    answer: answerTo(turn),
    results: [sampleResult("r1", "content")],
    changes: [
      {
        turn: turn.id,
        session: turn.session,
        sequence: 1,
        kind: "file",
        path: "/notes/a.org",
        before: null,
        after: "a".repeat(64),
        preImage: null,
        mode: null,
        undone: false,
      },
    ],
  });
  assert.deepEqual(await state.turns.get(turn.id), done);
  assert.equal((await state.outbox.undelivered("session-1"))[0]?.text, "done");
  assert.deepEqual(await state.results.get("r1"), sampleResult("r1", "content"));
  assert.equal((await state.changes.ofTurn(turn.id))[0]?.path, "/notes/a.org");
});

test("a step of which one part fails changes nothing", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  const step = {
    turn: { ...turn, state: "answered" as const },
    answer: answerTo(turn),
    closeApproval: { tokenHash: "unknown", state: "approved" as const },
  };
  await assert.rejects(state.commit(step), PipelineError);
  assert.equal((await state.turns.get(turn.id))?.state, "queued");
  assert.deepEqual(await state.outbox.undelivered("session-1"), []);
});

test("a final state is never left, and no turn skips its arrows", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  await assert.rejects(
    state.commit({ turn: { ...turn, state: "acting" } }),
    /cannot go from queued to acting/,
  );
  await assert.rejects(state.commit({ turn: { ...turn, state: "suspended" } }), /from queued to suspended/);
  await state.commit({ turn: { ...turn, state: "failed" } });
  for (const next of ["queued", "thinking", "answered", "failed"] as const) {
    await assert.rejects(state.commit({ turn: { ...turn, state: next } }), PipelineError);
  }
});

test("every open state can end, and none leads back to the queue", () => {
  const open: readonly TurnState[] = ["queued", "thinking", "judging", "suspended", "acting"];
  for (const from of open) {
    assert.equal(isAllowedTransition(from, from), true);
    assert.equal(isAllowedTransition(from, "queued"), from === "queued");
    for (const to of ["answered", "blocked", "failed", "stopped"] as const) {
      assert.equal(isAllowedTransition(from, to), true);
      assert.equal(isAllowedTransition(to, from), false);
    }
  }
});

test("a step of a turn that was never accepted, or of another session, is refused", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  await assert.rejects(state.commit({ turn: { ...turn, id: "other" } }), /never accepted/);
  await assert.rejects(state.commit({ turn: { ...turn, session: "other" } }), /another session/);
});

test("a step cannot carry the approval of another turn", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  const approval = sampleApproval("other-turn", "hash");
  await assert.rejects(state.commit({ turn, approval }), /another turn/);
  assert.deepEqual(await state.approvals.open(), []);
});

test("a secret result is kept as a marker, in the turn as among the results", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const { turn } = await state.accept(sampleSignal(), 50);
  const secret = sampleResult("r1", "hunter2", { label: { ...bottomLabel, secrecy: "secret" } });
  const messages = [
    ...turn.messages,
    { role: "result" as const, callId: "c1", native: true, result: secret },
  ];
  await state.commit({ turn: { ...turn, state: "thinking", messages }, results: [secret] });
  assert.deepEqual((await state.results.get("r1"))?.outcome, {
    status: "success",
    content: { "not-kept": "secret" },
  });
  assert.equal(JSON.stringify(await state.turns.get(turn.id)).includes("hunter2"), false);
});
