import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noon, openSampleState } from "../../../memory/state/samples.fixture.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Job, JobRun } from "../../../signal/jobs/job.ts";
import { RunReports } from "../../jobs/run-reports.ts";
import { openUntold } from "../resources/untold.ts";
import { idOfKey } from "../review/keep-proposals.ts";
import type { NewProposal, ProposeOutcome } from "../review/new-proposal.ts";
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

/** A process of an agent. `keeps` says whether its review inbox keeps what is proposed, cannot, or is killed after it did. */
function openProcess(state: State, world: { now: number; keeps: boolean | "killed" }) {
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const never = Promise.withResolvers<never>().promise;
  const keep = async (by: string, { key = "", change, ...words }: NewProposal): Promise<ProposeOutcome> => {
    assert.ok(change.kind === "none");
    const id = idOfKey(by, key);
    if ((await state.proposals.get(id)) !== null) return "known";
    await state.proposals.keep(id, { ...words, by, change });
    return "proposed";
  };
  const review = {
    async propose(by: string, proposals: readonly NewProposal[]) {
      if (world.keeps === false) throw new Error("The disk is full.");
      const outcomes = await Promise.all(proposals.map((one) => keep(by, one)));
      return world.keeps === "killed" ? never : outcomes;
    },
  };
  const runReports = new RunReports({
    jobs: state.jobs,
    tell: (run) => tellRun({ state, review, report, untold: openUntold(state.untold) }, run),
    report,
    clock: () => world.now,
  });
  return { runReports, reports };
}

function failOnce(state: State, reason: string): Promise<void> {
  return endOnce(state, "failed", reason);
}

async function endOnce(state: State, how: "failed" | "done", reason: string): Promise<void> {
  await state.jobs.runs.enqueue("report");
  const [run] = await state.jobs.runs.begin("needs-none", 1);
  assert.ok(run !== undefined);
  await state.jobs.runs.end(run, how, reason);
}

/** What waits in the inbox, as who, what and why. */
async function entriesOf(state: State): Promise<readonly string[]> {
  const open = await state.proposals.list(["open"]);
  return open.map(({ by, title, why }) => `${by} · ${title} · ${why}`);
}

const untold = (state: State): Promise<readonly JobRun[]> => state.jobs.runs.untold(0);

/** Tells what is not told yet until nothing changes any more. */
async function tellAll({ runReports }: { readonly runReports: RunReports }): Promise<void> {
  await runReports.sendUntold();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until it is on the disk that each run was told. */
async function allTold(state: Parameters<typeof untold>[0]): Promise<void> {
  for (let turn = 0; turn < 5_000 && (await untold(state)).length > 0; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
}

test("a run is told once its entry is kept: a process that is killed before it noted that leaves it to the next one, which keeps no second entry", async () => {
  const world = { now: noon, keeps: "killed" as boolean | "killed" };
  await using state = await openSampleState(join(root, "killed"), { clock: () => world.now });
  await state.jobs.keep(job);
  await failOnce(state, "No provider answered.");
  const killed = openProcess(state, world);
  await tellAll(killed);
  killed.runReports.stop();
  assert.equal((await untold(state)).length, 1);
  world.keeps = true;
  await tellAll(openProcess(state, world));
  await allTold(state);
  assert.equal((await untold(state)).length, 0);
  assert.deepEqual(await entriesOf(state), ["job report · The job report failed · No provider answered."]);
});

test("an entry that cannot be kept is kept later; each reason is told once until a run is done, and then anew", async () => {
  const world = { now: noon, keeps: false as boolean | "killed" };
  await using state = await openSampleState(join(root, "later"), { clock: () => world.now });
  await state.jobs.keep(job);
  const process = openProcess(state, world);
  const { reports } = process;
  const fail = async (reason: string): Promise<number> => {
    world.now += minute;
    await failOnce(state, reason);
    await tellAll(process);
    if (world.keeps !== false) await allTold(state);
    assert.equal((await untold(state)).length, world.keeps === false ? 1 : 0);
    return (await state.proposals.list(["open", "rejected"])).length;
  };
  assert.equal(await fail("No provider answered."), 0);
  world.keeps = true;
  await tellAll(process);
  await allTold(state);
  assert.equal(await fail("No provider answered."), 1);
  assert.equal(await fail("The budget of today is used up."), 2);
  for (const { id } of await state.proposals.list(["open"]))
    await state.proposals.decide(id, "rejected", null);
  assert.equal(await fail("No provider answered."), 2);
  world.now += minute;
  await endOnce(state, "done", "");
  assert.equal(await fail("No provider answered."), 3);
  const [failed, budget] = [
    "The job report failed: No provider answered.",
    "The job report failed: The budget of today is used up.",
  ];
  assert.deepEqual(reports, [
    "The outcome of the job report could not be told: The disk is full.",
    failed,
    budget,
    failed,
  ]);
});

test("what was told or missed is dismissed, and what is not told yet is not", async () => {
  await using state = await openSampleState(join(root, "dismissed"), { clock: () => noon });
  await state.jobs.keep(job);
  await failOnce(state, "No provider answered.");
  assert.equal(await state.jobs.runs.dismiss("report"), false);
  for (const run of await untold(state)) await state.jobs.runs.markTold(run);
  assert.equal(await state.jobs.runs.dismiss("report"), true);
  assert.equal(await state.jobs.runs.dismiss("report"), false);
  const left = (undismissed: boolean) => state.jobs.runs.list({ undismissed, most: 9 });
  assert.equal((await left(true)).length, 0);
  assert.equal((await left(false)).length, 1);
});
