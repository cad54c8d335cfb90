import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, filesWith, talkTo } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";
import type { Step } from "../loopback-provider.ts";

const few = { REFLEX_AFTER: "1", REFLEX_TRIALS: "1" };
const follows: readonly Step[] = [
  calls(["read-file", { path: "page.txt" }]),
  calls(["remember", { text: "Zyxheron pays the guest." }]),
  { text: "Kept." },
];

/** A job that its owner accepted as a reflex, after it did what a file said, between two others. */
async function acceptedReflex(t: TestContext) {
  const { world, agent, notes } = await openJobs(
    t,
    [...follows, ...follows, ...follows],
    ({ workspace }) => [
      "#+TITLE: Jobs",
      "",
      entry("first", "Say hi."),
      entry("morning", "Read page.txt\nand note what is new.", [`:FOLDER: ${workspace}`]),
      entry("last", "Say  bye. "),
    ],
    few,
  );
  const jobs = join(world.configuration, "jobs.org");
  const before = readFileSync(jobs, "utf8");
  const page = world.path("page.txt");
  writeFileSync(page, "Zyxheron pays the guest.\n");
  for (const name of ["first", "morning"]) await jobsOf(agent, { verb: "add", name });
  const runs = [await outcomeOf(agent, "morning"), await outcomeOf(agent, "morning")];
  assert.deepEqual(
    runs.map(({ state }) => state),
    ["done", "done"],
  );
  for (let tries = 0; tries < 600 && !existsSync(join(notes, "review.org")); tries += 1) await pause(100);
  const review = async (...words: readonly string[]) =>
    (await world.command(["review", ...words], { settings: { MEMEX_DIR: notes, ...few } })).out;
  const [id = ""] = /^review-\S+/m.exec(await review()) ?? [];
  assert.match(await review("accept", id), /Accepted/);
  assert.match(readFileSync(jobs, "utf8"), /call remember .*Zyxheron/);
  return { world, agent, jobs, before, page, turn: runs[1]?.turn ?? "" };
}

test("a reflex that grew from a source gets its owner's words back byte for byte, and runs by them, and nothing of its lines is kept", async (t) => {
  const { world, agent, jobs, before, page } = await acceptedReflex(t);
  const talk = await talkTo(agent);
  const shown = await talk.say(`/forget --derived-from ${page}`);
  assert.match(shown.text, /^ {2}job morning, which gets its own words again$/m);
  const undoable = await talk.say(`/forget --derived-from ${page} --undoable`);
  assert.match(undoable.text, /This stays:\n(?:.*\n)* {2}the job morning: no undo brings a job back/);
  assert.match(readFileSync(jobs, "utf8"), /call remember .*Zyxheron/);
  await talk.say("/undo");
  const done = await talk.say(`/forget --derived-from ${page} --for-good`);
  assert.match(done.text, /^Forgotten for good: .*, 1 job, texts of/);
  assert.equal(readFileSync(jobs, "utf8"), before);
  const { text } = await jobsOf(agent, { verb: "list" });
  assert.doesNotMatch(text, /a reflex since|morning: was changed|morning: waits/);
  const holders = filesWith(world.home, "Zyxheron").filter((path) => !/journal(?:-\d+)?\.jsonl$/.test(path));
  assert.deepEqual(holders, [page]);
  const asked = world.provider.requests.length;
  assert.equal((await outcomeOf(agent, "morning")).state, "done");
  assert.equal(world.provider.requests.length, asked + follows.length);
});

test("lines of a source that were copied into another job go with it, and a job with other lines in it stays and is named", async (t) => {
  const { agent, jobs, page, turn } = await acceptedReflex(t);
  const [line = ""] = /^call remember .*$/m.exec(readFileSync(jobs, "utf8")) ?? [];
  const mixed = entry("mixed", `${line}\nagenda`, [":TIER: reflex"]);
  const own = [entry("first", "Say hi."), mixed, entry("last", "Say  bye. ")];
  writeFileSync(jobs, [own[0], entry("copy", line, [":TIER: reflex"]), own[1], own[2]].join("\n"));
  for (const name of ["copy", "mixed"]) await jobsOf(agent, { verb: "add", name });
  const talk = await talkTo(agent);
  assert.match(
    (await talk.say(`/forget ${turn}`)).text,
    new RegExp(`^The job copy is made of it, and runs on: /forget --derived-from ${turn} takes`, "m"),
  );
  const done = await talk.say(`/forget --derived-from ${page} --for-good`);
  assert.match(done.text, /^Forgotten for good: .*, 2 jobs, texts of/);
  assert.match(done.text, /the job mixed in jobs\.org: it has other lines, too/);
  assert.equal(readFileSync(jobs, "utf8"), own.join("\n"));
  const { text } = await jobsOf(agent, { verb: "list" });
  assert.doesNotMatch(text, /^(?:copy|morning)\b/m);
  assert.match(text, /^mixed\b/m);
});
