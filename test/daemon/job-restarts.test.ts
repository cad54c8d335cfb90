import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { startDaemon } from "./daemon-process.ts";
import { clockAt, entry, jobsOf, type Run, runsOf } from "./job-world.ts";

/** A world whose daemon lives at times that are told, with jobs that it knows since half past eight. */
async function openTimes(
  t: TestContext,
  steps: readonly Step[],
  jobs: (world: AgentWorld) => { readonly [name: string]: string },
) {
  const world = await makeWorld(t, steps);
  const notes = join(world.home, "notes");
  for (const folder of [notes, world.configuration]) mkdirSync(folder, { recursive: true });
  const entries = jobs(world);
  writeFileSync(join(world.configuration, "jobs.org"), Object.values(entries).join("\n"));
  const settings = { MEMEX_DIR: notes };
  const daemonAt = (time: string) =>
    startDaemon(t, world, { settings: { ...settings, ...clockAt(`2026-05-05T${time}:00Z`) } });
  type Daemon = Awaited<ReturnType<typeof daemonAt>>;
  const end = async ({ signal, end: ended }: Daemon, how: "SIGTERM" | "SIGKILL"): Promise<void> => {
    signal(how);
    await ended;
  };
  const open = () => world.open(settings);
  const first = await daemonAt("08:30");
  {
    await using agent = await world.open(settings);
    for (const name of Object.keys(entries))
      assert.equal((await jobsOf(agent, { verb: "add", name })).code, "job-added", name);
  }
  await end(first, "SIGTERM");
  const run = async (...words: readonly string[]) => (await world.command(words, { settings })).out;
  return { daemonAt, end, open, run };
}

/** An entry that is due at each full hour. */
const hourly = (name: string, words: string, properties: readonly string[]) =>
  entry(name, words, [":ZONE: UTC", ...properties]).replace("0 9 1 1 *", "0 * * * *");

test("what was due while no daemon ran is made up for as each job says, and once, over a kill", async (t) => {
  const policies: { readonly [name: string]: readonly string[] } = {
    skips: [":CATCH_UP: skip"],
    "skips-late": [":CATCH_UP: skip", ":GRACE: 30m"],
    latest: [":CATCH_UP: once"],
    each: [":CATCH_UP: all"],
    "each-of-two-hours": [":CATCH_UP: all", ":GRACE: 150m"],
  };
  const { daemonAt, end, open, run } = await openTimes(t, [], ({ workspace }) =>
    Object.fromEntries(
      Object.entries(policies).map(([name, properties]) => [
        name,
        hourly(name, `write ${name}.txt: yes`, [":TIER: reflex", `:FOLDER: ${workspace}`, ...properties]),
      ]),
    ),
  );
  const outcomes = async () => {
    await using agent = await open();
    const all: { [name: string]: readonly string[] } = {};
    for (const name of Object.keys(policies)) {
      let runs = await runsOf(agent, name);
      for (let tries = 0; tries < 1200 && (runs.length === 0 || runs.some(isOpen)); tries += 1) {
        await pause(100);
        runs = await runsOf(agent, name);
      }
      all[name] = runs.map(outcomeOf).toSorted();
    }
    return all;
  };
  // 9, 10, 11 and 12 o'clock passed.
  const late = await daemonAt("12:20");
  const expected = {
    skips: ["09 missed x4: The agent did not run then"],
    "skips-late": ["09 missed x3: The agent did not run then", "12 done x1"],
    latest: ["09 missed x3: A later run of the job stands for it", "12 done x1"],
    each: ["09 done x1", "10 done x1", "11 done x1", "12 done x1"],
    "each-of-two-hours": [
      "09 missed x1: The agent did not run then",
      "10 done x1",
      "11 done x1",
      "12 done x1",
    ],
  };
  assert.deepEqual(await outcomes(), expected);
  assert.match(
    await run("agenda"),
    /^Waiting for you\n {2}The job skips was missed: The agent did not run then/,
  );
  await end(late, "SIGKILL");
  await daemonAt("12:40");
  assert.deepEqual(await outcomes(), expected);
});

function isOpen({ state }: Run): boolean {
  return state === "queued" || state === "running";
}

function outcomeOf(run: Run): string {
  const { state, count, reason, "scheduled-ms": scheduled } = run;
  const hour = new Date(scheduled).toISOString().slice(11, 13);
  return `${hour} ${state} x${count}${state === "missed" ? `: ${/^[^,.]*?(?= and | ?[,.]|$)/.exec(reason)?.[0]}` : ""}`;
}
