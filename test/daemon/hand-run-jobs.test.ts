import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeWorld } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "./job-world.ts";
import { serveDaemon } from "./serve-daemon.ts";

type Listed = { readonly name: string; readonly trigger?: string; readonly paused?: boolean };

test("each job of the program is listed, run by hand, paused over a restart and shown in the log, by words and by exit code", async (t) => {
  const world = await makeWorld(t);
  const notes = join(world.home, "notes");
  mkdirSync(notes, { recursive: true });
  const settings = { MEMEX_DIR: notes };
  const jobs = async (...words: readonly string[]) => {
    const { code, out, err } = await world.command(["jobs", ...words, "--json"], { settings });
    const data: readonly Listed[] = out
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    return { code, data, err };
  };
  const daemon = await serveDaemon(world, { settings });
  const own = [
    "check-health",
    "compact-sessions",
    "embed-texts",
    "file-proposals",
    "garden",
    "scribe",
    "watch-notes",
  ];
  // A daemon serves clients while it still puts its own jobs on the disk.
  let listed: readonly Listed[] = [];
  let names: readonly string[] = [];
  for (let look = 0; look < 200 && !own.every((name) => names.includes(name)); look += 1) {
    listed = (await jobs("list")).data;
    names = listed.filter(({ trigger }) => trigger === "beat").map(({ name }) => name);
  }
  for (const name of own) assert.ok(names.includes(name), name);
  await using agent = await world.open(settings);
  for (const name of names) {
    const ran = await jobsOf(agent, { verb: "run", name });
    assert.equal(ran.code, "job-run", `${name}: ${ran.text}`);
    assert.equal((await jobsOf(agent, { verb: "pause", name })).code, "job-paused", name);
    assert.equal((await jobsOf(agent, { verb: "log", name })).code, "job-log", name);
  }
  assert.match((await jobsOf(agent, { verb: "log", name: "check-health" })).text, /^check-health done: \w+/);
  const again = await jobs("pause", "embed-texts");
  assert.deepEqual([again.code, again.err], [1, "The job embed-texts is paused already.\n"]);
  assert.equal((await jobs("run", "nothing")).code, 1);
  const { code, data } = await jobs("run", "watch-notes");
  const said = "your notes were compared with the index";
  assert.deepEqual([code, data], [0, [{ code: "job-run", name: "watch-notes", said }]]);
  await daemon.leave();
  await serveDaemon(world, { settings });
  const after = (await jobs("list")).data;
  assert.deepEqual(
    after.filter(({ paused }) => paused === true).map(({ name }) => name),
    names,
  );
  assert.equal((await jobs("resume", "embed-texts")).code, 0);
});

test("what the program does all the time is listed with when it did that last and does it next; it runs by hand, and says why it cannot rest and where its lines are", async (t) => {
  const { world, agent } = await openJobs(t, [{ text: "Hello." }], () => [entry("heartbeat", "note mine")], {
    HEARTBEAT_INTERVAL: "1",
  });
  const list = async () => (await jobsOf(agent, { verb: "list" })).text;
  assert.match(
    await list(),
    /^auto-save: keeps what you say .* on the disk\n {2}at each step of a turn, before the next one begins · not yet/,
  );
  const session = await agent.openSession({ name: null, latest: false, source: "cli" });
  const said = await agent.say({ session, text: "hi", source: "cli" });
  assert.ok(said.kind === "turn");
  await agent.whenSettled(said.turn);
  assert.match(await list(), /^auto-save: .*\n {2}at each step .* · last \d+ s ago$/m);
  for (let tries = 0; tries < 600 && /heartbeat:.*\n.*not yet/.test(await list()); tries += 1)
    await pause(100);
  assert.match(
    await list(),
    /^heartbeat: finds the jobs that are due\n {2}at each HEARTBEAT_INTERVAL while the daemon runs, next (?:now|in \d+ s) · last \d+ s ago$/m,
  );
  for (const [name, ran, why] of [
    ["auto-save", /on the disk already/, /cannot be paused: what was said and done would be lost/],
    ["heartbeat", /jobs that are due were begun/, /cannot be paused: pause the jobs that it begins/],
  ] as const) {
    const run = await jobsOf(agent, { verb: "run", name });
    assert.deepEqual([run.code, ran.test(run.text)], ["job-run", true], run.text);
    const paused = await jobsOf(agent, { verb: "pause", name });
    assert.deepEqual([paused.code, why.test(paused.text)], ["not-done", true], paused.text);
    assert.match(
      (await jobsOf(agent, { verb: "log", name })).text,
      /leaves no lines of its own: passepartout /,
    );
  }
  assert.match(
    (await jobsOf(agent, { verb: "add", name: "heartbeat" })).text,
    /heartbeat is a job of the program itself\. Give yours another name/,
  );
  assert.equal((await world.command(["jobs", "pause", "auto-save"])).code, 1);
  assert.equal(world.provider.requests.length, 1, "a beat asks no model");
});

test("a job that is removed while it runs ends, and what is added under its name is another one; an entry that is gone, doubled or cut off is said", async (t) => {
  const { world, agent } = await openJobs(
    t,
    [
      { when: "Look at all", fault: "hang" },
      { when: "Look again", text: "Seen.", repeat: true },
    ],
    ({ workspace }) => [entry("slow", "Look at all of it.", [`:FOLDER: ${workspace}`])],
  );
  const file = join(world.configuration, "jobs.org");
  await jobsOf(agent, { verb: "add", name: "slow" });
  await jobsOf(agent, { verb: "run", name: "slow" });
  await world.provider.reached(1);
  assert.equal((await jobsOf(agent, { verb: "remove", name: "slow" })).code, "job-removed");
  writeFileSync(file, readFileSync(file, "utf8").replace("at all of it", "again"));
  assert.equal((await jobsOf(agent, { verb: "add", name: "slow" })).code, "job-added");
  const { state, reason } = await outcomeOf(agent, "slow");
  assert.deepEqual([state, reason], ["done", "Seen."]);
  assert.match(
    (await jobsOf(agent, { verb: "log", name: null })).text,
    /slow \(removed .*\) missed: The job was removed/,
  );

  assert.equal((await jobsOf(agent, { verb: "pause", name: "slow" })).code, "job-paused");
  const paused = await jobsOf(agent, { verb: "run", name: "slow" });
  assert.deepEqual([paused.code, /is paused, and was not begun/.test(paused.text)], ["not-done", true]);

  const list = async () => (await jobsOf(agent, { verb: "list" })).text;
  const whole = readFileSync(file, "utf8");
  for (const [text, said] of [
    [`${whole}\n${whole}`, /slow: cannot be read: there are 2 jobs of this name/],
    [
      whole.slice(0, whole.indexOf(":END:")),
      /slow: is not in jobs\.org any more, or cannot be read there, and runs as it was approved/,
    ],
    ["", /slow: is not in jobs\.org any more/],
    [whole, /^(?![\s\S]*slow: (?:is not|cannot))/],
  ] as const) {
    writeFileSync(file, text);
    assert.match(await list(), said);
  }
  writeFileSync(file, entry("lost", "Look.", [":FOLDER: /nonexistent/garden"]));
  assert.match(
    (await jobsOf(agent, { verb: "add", name: "lost" })).text,
    /its FOLDER \/nonexistent\/garden is not there/,
  );
});
