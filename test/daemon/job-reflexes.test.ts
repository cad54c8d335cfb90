import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { calls } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "./job-world.ts";

const few = { REFLEX_AFTER: "1", REFLEX_TRIALS: "2" };
const copies: readonly Step[] = [
  calls(["write-file", { path: "a.txt", content: 'one\n"two"\n' }]),
  calls(["shell", { cmd: "cp a.txt b.txt" }]),
  { text: "Copied." },
];

async function listed(agent: Agent): Promise<string> {
  return (await jobsOf(agent, { verb: "list" })).text;
}

test("a job that did the same is offered as a reflex once the rule would have done so beside it; accepted it asks no model, and undone it has its words back byte for byte", async (t) => {
  const repeats = (times: number): readonly Step[] => Array.from({ length: times }, () => copies).flat();
  const other: readonly Step[] = [
    calls(["write-file", { path: "a.txt", content: "three\n" }]),
    { text: "Copied." },
  ];
  const { world, agent, notes } = await openJobs(
    t,
    // A run, and one beside the rule; another outcome, which begins anew; then one, and two beside the rule; and one more after the undo.
    [...repeats(2), ...other, ...repeats(3), ...repeats(1)],
    ({ workspace }) => [
      "#+TITLE: Jobs",
      "",
      entry("other", "Say hi.", [":DOLLARS: 1"]),
      entry(
        "copy",
        "Copy what\nis new.",
        [`:FOLDER: ${workspace}`, ":DOLLARS: 1"],
        ["write a.txt", "run cp a.txt b.txt"],
      ),
      entry("last", "Say bye."),
    ],
    few,
  );
  const path = join(world.configuration, "jobs.org");
  const before = readFileSync(path);
  await jobsOf(agent, { verb: "add", name: "copy" });
  const runs = async (times: number) => {
    for (let run = 0; run < times; run += 1) {
      const came = await outcomeOf(agent, "copy");
      assert.equal(came.state, "done", came.reason);
    }
  };
  const settings = { MEMEX_DIR: notes, ...few };
  const review = async (...words: readonly string[]) => world.command(["review", ...words], { settings });
  await runs(5);
  assert.match((await review()).out, /^Nothing is proposed\. /);
  await runs(1);
  for (let tries = 0; tries < 600 && !existsSync(join(notes, "review.org")); tries += 1) await pause(100);
  const [, id = ""] = /^(review-\S+) {2}The job copy as a reflex/m.exec((await review()).out) ?? [];
  assert.notEqual(id, "");
  const shown = (await review("show", id)).out;
  assert.match(shown, /-Copy what\n.*-is new\.\n/);
  assert.match(shown, /\+:TIER: reflex/);
  assert.match(shown, /\+call write-file \{"path":"a\.txt","content":"one\\n\\"two\\"\\n"\}/);
  assert.ok(readFileSync(path).equals(before));
  const asked = world.provider.requests.length;

  const accepted = await review("accept", id);
  assert.match(accepted.out, /Accepted/);
  const text = readFileSync(path, "utf8");
  assert.match(
    text,
    /^\* copy\n[\s\S]*:TIER: reflex\n[\s\S]*- ALLOW: write a\.txt\n[\s\S]*^call shell \{"cmd":"cp a\.txt b\.txt"\}$/m,
  );
  assert.ok(
    text.startsWith(before.toString().slice(0, before.indexOf("* copy"))) && text.includes("Say bye."),
  );
  assert.match(
    await listed(agent),
    new RegExp(`a reflex since you accepted it; passepartout review undo ${id}`),
  );
  assert.doesNotMatch(await listed(agent), /copy: was changed/);
  rmSync(join(world.workspace, "b.txt"));
  await runs(1);
  assert.equal(readFileSync(join(world.workspace, "b.txt"), "utf8"), 'one\n"two"\n');
  assert.equal(world.provider.requests.length, asked);

  assert.match((await review("undo", id)).out, /Undone/);
  assert.ok(readFileSync(path).equals(before));
  assert.doesNotMatch(await listed(agent), /a reflex since|copy: was changed/);
  await runs(1);
  assert.equal(world.provider.requests.length, asked + copies.length);
});

test("no reflex comes of runs that asked, failed, said something else or did nothing; a reflex stops at the first call that fails or is not there; what fails beside a run does not run it again", async (t) => {
  const never: Readonly<Record<string, readonly Step[]>> = {
    asks: [calls(["write-file", { path: "../outside/x.txt", content: "x" }]), { text: "Done." }],
    fails: [calls(["shell", { cmd: "ls missing" }]), { text: "Done." }],
    talks: [{ text: "All is well." }],
    varies: [calls(["list-files", { path: "." }]), { text: "VARIES" }],
  };
  const said = { number: 0 };
  const steps = Object.entries(never).flatMap(([, each]) =>
    Array.from({ length: 3 }, () =>
      each.map((step): Step => {
        said.number += 1;
        return "text" in step && step.text === "VARIES" ? { text: `Saw it, ${said.number}.` } : step;
      }),
    ).flat(),
  );
  const unread = Array.from({ length: 2 }, (_, at): readonly Step[] => [
    calls(["list-files", { path: "." }]),
    { text: `Number ${at}.` },
  ]).flat();
  const { world, agent, notes } = await openJobs(
    t,
    [...steps, ...unread, ...copies, ...copies],
    ({ workspace }) => [
      ...Object.keys(never).map((name) => entry(name, `Do ${name}.`, [`:FOLDER: ${workspace}`])),
      entry("unread", "Look.", [`:FOLDER: ${workspace}`, ":ANSWER: unread"]),
      entry("stops", 'call shell {"cmd":"ls missing"}\ncall write-file {"path":"never.txt","content":"x"}', [
        `:FOLDER: ${workspace}`,
        ":TIER: reflex",
      ]),
      entry("lacks", 'call list-files {"path":"."}\ncall water {"ml":1}', [
        `:FOLDER: ${workspace}`,
        ":TIER: reflex",
      ]),
      entry("code", "run ls missing", [`:FOLDER: ${workspace}`, ":TIER: reflex"]),
      entry("once", "Copy.", [`:FOLDER: ${workspace}`], ["write a.txt", "run cp a.txt b.txt"]),
    ],
    { REFLEX_AFTER: "1", REFLEX_TRIALS: "1" },
  );
  const review = async () => (await world.command(["review"], { settings: { MEMEX_DIR: notes } })).out;
  const added = new Map<string, string>();
  for (const name of [...Object.keys(never), "unread", "stops", "lacks", "code", "once"]) {
    const { code, text } = await jobsOf(agent, { verb: "add", name });
    assert.equal(code, "job-added", text);
    added.set(name, text);
  }
  assert.match(added.get("lacks") ?? "", /cannot be said now: The tool water is not available/);
  for (const name of Object.keys(never)) for (let run = 0; run < 3; run += 1) await outcomeOf(agent, name);
  assert.doesNotMatch(await review(), /as a reflex/);
  for (let run = 0; run < 2; run += 1) await outcomeOf(agent, "unread");
  for (let tries = 0; tries < 600 && !/as a reflex/.test(await review()); tries += 1) await pause(100);
  assert.match(await review(), /The job unread as a reflex/);
  const stopped = await outcomeOf(agent, "stops");
  assert.equal(stopped.state, "failed");
  assert.match(stopped.reason, /^shell: It ended with the code 2/);
  assert.equal(existsSync(join(world.workspace, "never.txt")), false);
  for (const [name, reason] of [
    ["lacks", /^The tool water is not available/],
    ["code", /^shell: It ended with the code 2/],
  ] as const) {
    const came = await outcomeOf(agent, name);
    assert.equal(came.state, "failed", name);
    assert.match(came.reason, reason);
  }
  // What goes along with a run and fails does not run it again.
  await outcomeOf(agent, "once");
  rmSync(join(notes, "review.org"));
  mkdirSync(join(notes, "review.org"));
  const asked = world.provider.requests.length;
  const last = await outcomeOf(agent, "once");
  assert.equal(last.state, "done", last.reason);
  assert.equal(world.provider.requests.length, asked + copies.length);
});
