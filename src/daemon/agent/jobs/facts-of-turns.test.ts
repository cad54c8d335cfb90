import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noon, openSampleState, sampleSignal } from "../../../memory/state/samples.fixture.ts";
import type { EventFact } from "../../../signal/jobs/job-event.ts";
import type { Signal } from "../../../signal/signal.ts";
import { type SubTask, writeSubTask } from "../../../signal/sub-task.ts";
import type { Turn } from "../../../signal/turn.ts";
import { listenForJobs } from "./event-ports.ts";
import { chainOfTurn, factsSince } from "./facts-of-turns.ts";

const subTask = (root: string): SubTask => ({
  root,
  rootSession: "",
  level: 1,
  tools: [],
  folder: null,
  workspace: null,
  calls: 1,
  caps: [],
});

test("a sub-task is a part of the turn that began it: its end and its session begin no job, and what it wrote is that job's", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-facts-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await using state = await openSampleState(folder);
  const end = async (name: string, changes: Partial<Signal>): Promise<Turn> => {
    const { id: session } = await state.sessions.open({ name, workspace: null, source: "cli" });
    const { turn } = await state.accept(sampleSignal({ id: name, clientId: name, session, ...changes }), 10);
    const ended: Turn = { ...turn, state: "stopped" };
    await state.commit({ turn: ended, durability: "forced" });
    return ended;
  };
  const job = await end("job", {
    sensor: "cron",
    person: "nobody",
    payload: { job: "tidy", chain: ["watch"] },
  });
  const task = await end("sub-task", {
    sensor: "sub-task",
    person: "nobody",
    payload: { subTask: writeSubTask(subTask(job.id)) },
  });
  const said = await end("conversation", {});

  assert.deepEqual(await chainOfTurn(state.turns, task), ["watch", "tidy"]);
  assert.deepEqual(await chainOfTurn(state.turns, said), []);

  const live: EventFact[] = [];
  const hear = listenForJobs(
    { state, report: assert.fail },
    { wants: () => true, happened: async (fact) => void live.push(fact) },
  );
  for (const { id: turn, session } of [job, task, said]) {
    hear({ type: "accepted", session, turn, id: turn });
    hear({ type: "stopped", session, turn, code: "", reason: "" });
  }
  const wanted = [
    ["session-began", said.session, []],
    ["turn-ended", job.id, ["watch", "tidy"]],
    ["turn-ended", said.id, []],
  ];
  const told = (facts: readonly EventFact[]) =>
    facts.map(({ name, subject, chain }) => [name, subject, chain]).sort();
  while (live.length < wanted.length) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told(live), wanted.toSorted());
  assert.deepEqual(told(await factsSince(state, noon)), wanted.toSorted());
});

test("a conversation begins with its first words, however long its session was there; later words begin none", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-facts-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const now = { at: noon };
  await using state = await openSampleState(folder, { clock: () => now.at });
  const { id: session } = await state.sessions.open({ name: "garden", workspace: null, source: "cli" });
  const live: EventFact[] = [];
  const hear = listenForJobs(
    { state, report: assert.fail },
    {
      wants: (name) => name === "session-began",
      happened: async (fact) => void live.push(fact),
    },
  );
  const say = async (words: string) => {
    now.at += 3_600_000;
    const signal = sampleSignal({ id: words, clientId: words, session });
    const { turn } = await state.accept(signal, 10);
    await state.commit({ turn: { ...turn, state: "stopped" }, durability: "forced" });
    hear({ type: "accepted", session, turn: turn.id, id: words });
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  await say("first");
  await say("second");
  const began = noon + 3_600_000;
  assert.deepEqual(
    live.map(({ subject, at }) => [subject, at]),
    [[session, began]],
  );
  const found = async (since: number) =>
    (await factsSince(state, since)).flatMap(({ name, at }) => (name === "session-began" ? [at] : []));
  assert.deepEqual(await found(began), [began]);
  assert.deepEqual(await found(began + 1), []);
});
