import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noon, openSampleState, sampleResult } from "../../memory/state/samples.fixture.ts";
import type { State } from "../../memory/state/state.ts";
import type { Job, JobRun } from "../../signal/job.ts";
import type { Turn } from "../../signal/turn.ts";
import { Tellings } from "../jobs/tellings.ts";
import { tellRun } from "./tell-run.ts";

const root = mkdtempSync(join(tmpdir(), "tell-run-"));
after(() => rmSync(root, { recursive: true, force: true }));

const minute = 60_000;
const job: Job = {
  name: "report",
  trigger: { kind: "cron", expression: "0 9 * * *", zone: null },
  work: { kind: "built-in", does: "reports" },
  catchUp: "once",
  grace: 0,
  overlap: "skip",
  attempts: 1,
  limit: minute,
};

/** A process of an agent, with a loop that writes notes once `writes` says so, and does nothing where the process is killed before. */
function openProcess(state: State, world: { now: number; writes: boolean | "killed" }) {
  const reports: string[] = [];
  const settled = Promise.withResolvers<void>();
  const end = async (turn: Turn): Promise<void> => {
    if (world.writes === "killed") return;
    const thinking: Turn = { ...turn, state: "thinking", updatedAt: world.now };
    await state.commit({ turn: thinking, durability: "forced" });
    const result = sampleResult("r", "kept");
    const outcome = world.writes
      ? result.outcome
      : { status: "error" as const, code: "no-folder", message: "There is no notes folder." };
    const messages: Turn["messages"] = [
      ...turn.messages,
      { role: "result", callId: "1", native: false, result: { ...result, outcome } },
    ];
    await state.commit({
      turn: { ...thinking, state: "answered", text: "noted", messages },
      answer: {
        id: turn.id,
        session: turn.session,
        turn: turn.id,
        state: "answered",
        text: "noted",
        at: world.now,
        delivered: false,
      },
    });
  };
  const loop = {
    async submit(signal: Turn["signal"]) {
      const { turn, fresh } = await state.accept(signal, 10);
      if (fresh) await end(turn);
      return { kind: "turn" as const, turn: turn.id, session: turn.session, fresh };
    },
    whenSettled: async () => (world.writes === "killed" ? settled.promise : undefined),
  };
  const report = (message: string): void => void reports.push(message);
  const parts = { state, loop, clock: () => world.now, report };
  const tellings = new Tellings({ jobs: state.jobs, tell: (run) => tellRun(parts, run), report });
  return { tellings, reports, resume: end };
}

async function failOnce(state: State, reason: string): Promise<void> {
  await state.jobs.runs.enqueue("report");
  const [run] = await state.jobs.runs.begin(1);
  assert.ok(run !== undefined);
  await state.jobs.runs.end(run, "failed", reason);
}

async function notesOf(state: State): Promise<readonly string[]> {
  const session = await state.sessions.byName("job report");
  const turns = session === null ? [] : await state.turns.ofSession(session.id, { limit: 100 });
  return turns.map(({ signal }) => signal.text);
}

const untold = (state: State): Promise<readonly JobRun[]> => state.jobs.runs.untold();
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a run is told once its note is written: a process that is killed before leaves it to the next one, which writes no second note", async () => {
  const world = { now: noon, writes: "killed" as boolean | "killed" };
  await using state = await openSampleState(join(root, "killed"), { clock: () => world.now });
  await state.jobs.keep(job);
  await failOnce(state, "No provider answered.");
  const killed = openProcess(state, world);
  await killed.tellings.go();
  await settle();
  killed.tellings.stop();
  assert.equal((await untold(state)).length, 1);
  world.writes = true;
  const next = openProcess(state, world);
  for (const turn of await state.turns.unfinished()) await next.resume(turn);
  await next.tellings.go();
  await settle();
  assert.equal((await untold(state)).length, 0);
  assert.equal((await notesOf(state)).length, 1);
  assert.match(
    (await notesOf(state)).join(),
    /^note TODO The job report failed <[^>]+>\nNo provider answered\.\n/,
  );
});

test("a note that cannot be written is tried again later, and holds up no other; a job that fails again for the same reason is not told again", async () => {
  const world = { now: noon, writes: false as boolean | "killed" };
  await using state = await openSampleState(join(root, "later"), { clock: () => world.now });
  await state.jobs.keep(job);
  await failOnce(state, "No provider answered.");
  const { tellings, reports } = openProcess(state, world);
  const go = async (): Promise<void> => {
    await tellings.go();
    await settle();
    await settle();
  };
  await go();
  await go();
  assert.equal((await notesOf(state)).length, 1);
  assert.equal((await untold(state)).length, 1);
  world.now += minute;
  world.writes = true;
  await go();
  assert.equal((await notesOf(state)).length, 2);
  assert.equal((await untold(state)).length, 0);
  world.now += minute;
  await failOnce(state, "No provider answered.");
  await go();
  assert.equal((await untold(state)).length, 0);
  assert.equal((await notesOf(state)).length, 2);
  world.now += minute;
  await failOnce(state, "The budget of today is used up.");
  await go();
  assert.equal((await notesOf(state)).length, 3);
  assert.deepEqual(reports, [
    "The job report failed: No provider answered.",
    "The job report failed: The budget of today is used up.",
  ]);
});
