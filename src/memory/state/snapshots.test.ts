import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openSampleState, sampleObject, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "snapshots-"));

test("a snapshot knows the last change of memory and the last change of files that it includes", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  const author = { turn: turn.id, session: turn.session };
  const empty = await state.objects.snapshot("empty");
  await state.objects.put(sampleObject("a", "1"), author);
  const change = {
    turn: turn.id,
    session: turn.session,
    kind: "file" as const,
    path: "/a",
    mode: null,
    undone: false,
    before: null,
    after: "a".repeat(64),
    preImage: null,
  };
  await state.commit({ turn: { ...turn, state: "thinking" }, changes: [{ ...change, sequence: 1 }] });
  const later = await state.objects.snapshot("later");
  assert.deepEqual([empty.sequence, empty.change, later.sequence, later.change], [0, 0, 1, 1]);
  assert.deepEqual(await state.changes.since(later.change), []);
  assert.equal((await state.changes.since(empty.change)).length, 1);
});

test("of the snapshots that turns took the newest stay, and of those that somebody asked for every one", async () => {
  await using state = await openSampleState(folder(), { quotas: { turnSnapshots: 2 } });
  const { turn } = await state.accept(sampleSignal(), 50);
  const byHand = await state.objects.snapshot("by hand");
  const steps = [];
  for (let step = 0; step < 4; step += 1) steps.push(await state.objects.snapshot(turn.id));
  await state.objects.rollback(byHand.id, { turn: null, session: turn.session });
  assert.equal((await state.prune()).snapshots, 2);
  assert.deepEqual(
    (await state.objects.snapshots()).map(({ note }) => note),
    ["before the rollback to snapshot 1", turn.id, turn.id, "by hand"],
  );
  assert.deepEqual(
    (await state.objects.snapshots()).slice(1, 3).map(({ id }) => id),
    [steps[3]?.id, steps[2]?.id],
  );
});
