import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { consensusRoute } from "../../signal/spending.ts";
import { type SubTask, writeSubTask } from "../../signal/sub-task.ts";
import { noon, openSampleState, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "sub-tasks-state-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const price = { from: "unrecorded", day: null } as const;

/** A turn, and a sub-task of it with a cap of 100 millionths of a dollar. */
async function beginSubTask(state: State) {
  const { turn } = await state.accept(sampleSignal(), 50);
  const subTask: SubTask = {
    root: turn.id,
    rootSession: turn.session,
    level: 1,
    tools: ["read-file"],
    folder: null,
    workspace: null,
    calls: 3,
    caps: [{ task: "a", microdollars: 100, calls: 3 }],
  };
  const text = "look";
  const { turn: begun } = await state.accept(
    sampleSignal({
      id: "sub-task/a",
      sensor: "sub-task",
      person: "nobody",
      session: "session-2",
      text,
      payload: { text, subTask: writeSubTask(subTask) },
    }),
    50,
  );
  return { turn, begun, subTask };
}

test("a state of version 9 is migrated, and a sub-task that begins in it is known by its turn, its root and its session", async () => {
  const folder = join(root, "version-9");
  cpSync(join(import.meta.dirname, "../../../test/fixtures/state-v9/state"), folder, { recursive: true });
  await using state = await openSampleState(folder);
  assert.match(state.reports.join(), /was migrated from version 9 to /);
  const { turn, begun, subTask } = await beginSubTask(state);
  assert.deepEqual(await state.subTasks.of(begun.id), subTask);
  assert.equal(await state.subTasks.of(turn.id), null);
  assert.deepEqual(await state.subTasks.turnsUnder(turn.id), [begun.id]);
  assert.deepEqual(await state.subTasks.openSessionsUnder("session-1"), ["session-2"]);
});

test("a call of a sub-task is booked on the turn at the beginning, under its own cap and those of all that it is a part of", async () => {
  await using state = await openSampleState(join(root, "caps"));
  const { turn, subTask } = await beginSubTask(state);
  const inner: SubTask = {
    ...subTask,
    level: 2,
    caps: [...subTask.caps, { task: "a/b", microdollars: 80, calls: 3 }],
  };
  const reserve = (of: SubTask, microdollars: number) =>
    state.ledger.reserve({
      turn: of.root,
      session: of.rootSession,
      provider: "one",
      model: "m",
      price,
      microdollars,
      limits: { perDay: null, perSession: null, perTurn: 150, perSubTask: of.caps },
      subTask: of,
    });
  assert.deepEqual(await reserve(inner, 90), {
    ok: false,
    cap: "sub-task",
    remaining: 80,
    requested: 90,
  });
  assert.equal((await reserve(inner, 60)).ok, true);
  assert.deepEqual(await reserve(subTask, 50), {
    ok: false,
    cap: "sub-task",
    remaining: 40,
    requested: 50,
  });
  assert.equal((await reserve(subTask, 40)).ok, true);
  assert.deepEqual(await reserve({ ...subTask, caps: [{ task: "c", microdollars: 100, calls: 3 }] }, 60), {
    ok: false,
    cap: "turn",
    remaining: 50,
    requested: 60,
  });
  assert.deepEqual([await state.subTasks.spentBy("a"), await state.subTasks.spentBy("a/b")], [100, 60]);
  const [paid] = await state.ledger.totals({ session: "session-1", since: noon - 1 });
  assert.equal(paid?.microdollars, 100);
  assert.equal(turn.session, "session-1");
});

test("an answer of a part counts on all that it is a part of, and one that failed for nothing or was only compared does not", async () => {
  await using state = await openSampleState(join(root, "answers"));
  const { subTask } = await beginSubTask(state);
  const inner = { ...subTask, caps: [...subTask.caps, { task: "a/b", microdollars: 80, calls: 3 }] };
  const reserve = (of: SubTask, route: string | null = null) =>
    state.ledger.reserve({
      turn: of.root,
      session: of.rootSession,
      provider: "one",
      model: "m",
      price,
      microdollars: 1,
      limits: { perDay: null, perSession: null, perTurn: null, perSubTask: of.caps },
      subTask: of,
      purpose: { job: null, skill: null, route },
    });
  assert.equal((await reserve(inner, consensusRoute)).ok, true);
  const failed = await reserve(inner);
  assert.ok(failed.ok);
  await state.ledger.release(failed.id, "refused");
  for (const one of [inner, subTask, inner]) assert.equal((await reserve(one)).ok, true);
  for (const one of [inner, subTask])
    assert.deepEqual(await reserve(one), {
      ok: false,
      cap: "sub-task",
      remaining: 0,
      requested: 1,
      mostCalls: 3,
    });
});

test("forgetting a turn or deleting a session takes the words of its sub-tasks along", async () => {
  for (const how of ["turn", "session"] as const) {
    await using state = await openSampleState(join(root, how));
    const { turn, begun } = await beginSubTask(state);
    for (const one of [turn, begun])
      await state
        .commit({ turn: { ...one, state: "thinking" } })
        .then(() => state.commit({ turn: { ...one, state: "answered", text: "found it" } }));
    if (how === "turn")
      await state.forget(
        { id: turn.id, files: [], versions: [], edits: [], grown: null },
        { turn: null, session: "session-1" },
      );
    else await state.forgetSession({ session: "session-1", grown: null });
    assert.notEqual((await state.turns.get(begun.id))?.text, "found it", how);
  }
});
