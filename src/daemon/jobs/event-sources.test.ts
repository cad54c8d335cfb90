import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { EventFact } from "../../signal/jobs/job-event.ts";
import { jobOf, minute, settle, World, writes } from "./event-world.fixture.ts";
import { simulatedJob } from "./simulated-jobs.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "event-sources-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("ten saves are one run, which is told of what changed; what is there at first, and what no hook names, begins nothing", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  world.files.set("a.txt", "1").set("b.md", "1");
  const { agentJobs, pass } = await world.begin([jobOf("build", "file-changed:*.txt")]);
  await pass(10_000);
  assert.deepEqual(world.ran, []);
  for (let save = 2; save < 12; save += 1) {
    world.files.set("a.txt", String(save)).set("b.md", String(save));
    await pass(1000);
  }
  await pass(5000);
  assert.deepEqual(
    world.ran.map(({ job }) => job),
    ["build"],
  );
  const told = world.ran.flatMap(({ events }) => events);
  assert.ok(told.length > 0 && told.every((event) => event === "file-changed a.txt"));
  await agentJobs.stop();
});

test("a storm of 10,000 files is one run that lists some and counts the rest", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  const { agentJobs, pass, jobs } = await world.begin([jobOf("build", "file-changed:**")]);
  for (let file = 0; file < 10_000; file += 1) world.files.set(`dir/f${file}`, "1");
  await pass(6000);
  assert.equal(world.ran.length, 1);
  assert.equal(world.ran[0]?.events.length, 100);
  assert.equal(world.ran[0]?.more, 9900);
  const [run] = await jobs.runs.list({ job: "build", most: 10 });
  assert.equal(run?.count, 10_000);
  await agentJobs.stop();
});

test("a job's own writes do not begin it again, whether a command or a tool made them; two jobs that write for each other end by themselves", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  const { agentJobs, pass } = await world.begin([
    jobOf("one", "file-changed:**"),
    jobOf("two", "file-changed:**"),
  ]);
  const make = (): void => void world.files.set(`made-${world.files.size}`, "1");
  world.act = make;
  world.files.set("seed", "1");
  await pass(120_000);
  assert.ok(world.ran.length >= 2 && world.ran.length <= 4, JSON.stringify(world.ran));
  const settled = world.ran.length;
  await pass(60_000);
  assert.equal(world.ran.length, settled);
  world.commands = false;
  world.chainOf = (file) => (file.startsWith("made") ? ["one"] : null);
  world.act = ({ job }) => {
    if (job === "one") make();
  };
  world.files.set("seed", "2");
  await pass(120_000);
  const later = world.ran.slice(settled).map(({ job }) => job);
  assert.equal(later.filter((job) => job === "one").length, 1);
  await agentJobs.stop();
});

test("what the owner changes while a run goes on runs the job once more", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  world.commands = false;
  const { agentJobs, pass } = await world.begin([jobOf("build", "file-changed:**")]);
  world.act = () => {
    world.act = () => undefined;
    world.files.set("owner.txt", "1");
  };
  world.files.set("seed", "1");
  await pass(20_000);
  assert.deepEqual(
    world.ran.map(({ events }) => events),
    [["file-changed seed"], ["file-changed owner.txt"]],
  );
  await agentJobs.stop();
});

test("over kills at any moment each event has exactly one run, and what changed while nothing ran is found at the start", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  let current = await world.begin([jobOf("build", "file-changed:** turn-ended day-began")]);
  const random = { state: 7 };
  const next = (below: number): number => {
    random.state = (random.state * 1103515245 + 12345) % 2147483648;
    return random.state % below;
  };
  const turns: EventFact[] = [];
  for (let life = 0; life < 40; life += 1) {
    world.files.set(`f${life}`, "1");
    turns.push({ name: "turn-ended", subject: `t${life}`, key: `turn t${life}`, at: world.now, chain: [] });
    world.past = turns;
    const last = turns.at(-1);
    if (next(2) === 0 && last !== undefined) await current.agentJobs.happened(last);
    if (next(3) === 0) await current.pass(1000 * next(4));
    current.database.close();
    world.now += 1000 * next(20);
    current = await world.begin();
  }
  await current.pass(60_000);
  const of = (name: string): readonly string[] =>
    world.ran.flatMap(({ events }) => events.filter((event) => event.startsWith(name)));
  const rows = current.database.all(
    "SELECT key, count(*) AS n, min(run) AS run FROM job_events GROUP BY key",
  );
  assert.ok(rows.every(({ n, run }) => n === 1 && typeof run === "number"));
  for (let life = 0; life < 40; life += 1) {
    assert.ok(of("file-changed").includes(`file-changed f${life}`), `f${life}`);
    assert.ok(of("turn-ended").includes(`turn-ended t${life}`), `t${life}`);
  }
  const runs = await current.jobs.runs.list({ job: "build", states: ["done"], most: 1000 });
  assert.equal(
    runs.reduce((sum, { count }) => sum + count, 0),
    rows.length,
  );
  await current.agentJobs.stop();
});

test("24 hours in which nothing happens write nothing, with hooks of all kinds set", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  const { agentJobs, database } = await world.begin([
    jobOf("watch", "file-changed:** note-changed turn-ended session-began job-failed"),
  ]);
  world.files.set("a", "1");
  for (let beat = 0; beat < 10; beat += 1) {
    world.now += minute;
    await agentJobs.beat();
    await settle();
  }
  assert.equal(world.ran.length, 1);
  const before = writes(database);
  for (let beat = 0; beat < 24 * 60; beat += 1) {
    world.now += minute;
    await agentJobs.beat();
  }
  assert.equal(writes(database), before);
  assert.equal(world.ran.length, 1);
  await agentJobs.stop();
});

test("the day begins once, whatever the clock does, and a paused job misses what comes", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  const first = await world.begin([jobOf("morning", "day-began", { grace: 24 * 60 * minute })]);
  await first.pass(5000);
  assert.equal(world.ran.length, 0, "the day began before the job was");
  world.now += 24 * 60 * minute;
  await first.pass(5000);
  assert.equal(world.ran.length, 1);
  world.now -= 24 * 60 * minute;
  await first.pass(5000);
  world.now += 24 * 60 * minute;
  await first.pass(5000);
  assert.equal(world.ran.length, 1);
  await first.jobs.setPaused("morning", true);
  world.now += 24 * 60 * minute;
  await first.pass(5000);
  assert.equal(world.ran.length, 1);
  await first.agentJobs.resume("morning");
  const [run] = await first.jobs.runs.list({ job: "morning", most: 1 });
  assert.deepEqual([run?.state, run?.reason], ["missed", "The job was paused."]);
  await first.agentJobs.stop();
});

test("a job that waits for failures is begun by those of others and never by its own", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  const { agentJobs, pass, jobs } = await world.begin([
    jobOf("mend", "job-failed"),
    jobOf("other", "job-failed:report"),
  ]);
  for (const job of ["report", "mend"]) {
    await jobs.keep({
      ...simulatedJob(1, true),
      ...(job === "mend" ? jobOf("mend", "job-failed") : {}),
      name: job,
    });
    await jobs.runs.enqueue(job);
  }
  for (const run of await jobs.runs.begin("needs-none", 10)) await jobs.runs.end(run, "failed", "It broke.");
  await pass(6000);
  assert.deepEqual(
    world.ran.map(({ job, events }) => [job, ...events].join(" ")).sort(),
    ["mend job-failed report", "other job-failed mend", "other job-failed report"].filter(
      (line) => !line.includes("other job-failed mend"),
    ),
  );
  await agentJobs.stop();
});

test("a session that is told late does not set back up to where events are known, and events that are noted out of order are found at the next start", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  const { agentJobs, jobs, database } = await world.begin([jobOf("tell", "turn-ended session-began")]);
  const until = async () => Number((await jobs.events.seen("past"))?.get("until"));
  const ended = (name: string, at: number): EventFact => ({
    name: "turn-ended",
    subject: name,
    key: `turn ${name}`,
    at,
    chain: [],
  });
  world.now += 10 * minute;
  const [early, late] = [ended("early", world.now - 1000), ended("late", world.now)];
  await agentJobs.happened(late);
  const reached = await until();
  const began: EventFact = {
    name: "session-began",
    subject: "old",
    key: "session old",
    at: world.now - 8 * minute,
    chain: [],
  };
  await agentJobs.happened(began);
  assert.equal(await until(), reached);
  // A kill comes before the earlier of the two is noted.
  database.close();
  world.past = [early, late, began];
  const next = await world.begin();
  await next.pass(5000);
  assert.deepEqual(world.ran.flatMap(({ events }) => events).sort(), [
    "session-began old",
    "turn-ended early",
    "turn-ended late",
  ]);
  await next.agentJobs.stop();
});

test("a heartbeat begins the jobs whose own condition holds, and no other; where none holds, nothing is written", async () => {
  const world = new World(mkdtempSync(join(root, "world-")));
  world.idle.add("seldom");
  const { agentJobs, pass, database } = await world.begin([
    jobOf("always", "heartbeat"),
    jobOf("seldom", "heartbeat"),
  ]);
  await pass(40_000);
  const begun = () => new Set(world.ran.map(({ job }) => job));
  assert.deepEqual(begun(), new Set(["always"]));
  world.idle.delete("seldom");
  await pass(40_000);
  assert.deepEqual(begun(), new Set(["always", "seldom"]));
  world.idle.add("always").add("seldom");
  await pass(60_000);
  const before = writes(database);
  await pass(60_000);
  assert.equal(writes(database), before);
  await agentJobs.stop();
});
