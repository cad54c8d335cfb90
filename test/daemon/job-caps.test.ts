import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "./job-world.ts";

const writes = (...names: readonly string[]): Step =>
  calls(...names.map((name): [string, object] => ["write-file", { path: name, content: name }]));
const ends: Step = { text: "That was all." };

test("a run makes no more calls of models and tools than its job says, its sub-tasks draw from the same number, and it is put off with what to change", async (t) => {
  const steps: Step[] = [
    // Two of three calls in one answer: the third is not made, whatever its id.
    writes("a.txt", "b.txt", "c.txt"),
    ends,
    // Neither a fallback nor the reflex engine takes the place of an answer that may not be asked for.
    writes("d.txt"),
    // The call that delegates counts, and the sub-task has one left.
    calls(["delegate", { tasks: [{ task: "WRITE", tools: ["write-file"] }] }]),
    writes("e.txt"),
    writes("f.txt"),
    { text: "I was refused." },
    ends,
    // As many as it may.
    writes("g.txt", "h.txt"),
    ends,
  ];
  const { world, agent } = await openJobs(
    t,
    steps,
    ({ workspace }) => {
      const within = (name: string, caps: readonly string[]) =>
        entry(name, `Do ${name}.`, [`:FOLDER: ${workspace}`, ...caps]);
      return [
        within("tools", [":TOOL_CALLS: 2"]),
        within("models", [":MODEL_CALLS: 1"]),
        within("delegates", [":TOOL_CALLS: 2"]),
        within("enough", [":TOOL_CALLS: 2", ":MODEL_CALLS: 2"]),
        within("wrong", [":TOOL_CALLS: many"]),
      ];
    },
    { AT_BUDGET_CAP: "reflex", FALLBACK_ANSWER: "I am away." },
  );
  const wrote = (name: string) => existsSync(join(world.workspace, `${name}.txt`));
  assert.match(
    (await jobsOf(agent, { verb: "list" })).text,
    /wrong: cannot be read: its TOOL_CALLS are no number from 0 to 10000/,
  );
  const added: string[] = [];
  for (const name of ["tools", "models", "delegates", "enough"])
    added.push((await jobsOf(agent, { verb: "add", name })).text);
  assert.match(added[0] ?? "", /A run may make 2 calls of tools, with its sub-tasks/);
  assert.match(added[1] ?? "", /A run may take 1 answer of models, with its sub-tasks/);
  const tools = await outcomeOf(agent, "tools");
  assert.equal(tools.state, "put-off");
  assert.match(tools.reason, /^A run of the job tools may call tools 2 times, .* TOOL_CALLS of its entry/);
  assert.deepEqual([wrote("a"), wrote("b"), wrote("c")], [true, true, false]);
  const models = await outcomeOf(agent, "models");
  assert.equal(models.state, "put-off");
  assert.match(models.reason, /^A run of the job models may call models once, .* MODEL_CALLS of its entry/);
  assert.equal(wrote("d"), true);
  const delegated = await outcomeOf(agent, "delegates");
  assert.equal(delegated.state, "put-off");
  assert.match(delegated.reason, /^A run of the job delegates may call tools 2 times/);
  assert.deepEqual([wrote("e"), wrote("f")], [true, false]);
  assert.equal((await outcomeOf(agent, "enough")).state, "done");
  assert.deepEqual([wrote("g"), wrote("h")], [true, true]);
  assert.equal(world.provider.requests.length, steps.length);
  const { data } = await jobsOf(agent, { verb: "list" });
  assert.match(JSON.stringify(data), /"name":"enough"[^}]*"most-model-calls":2,"most-tool-calls":2/);
});

for (const [what, property, setting, advice] of [
  [
    "its own",
    [":DOLLARS: 0.15"],
    {},
    /A run of the job pays may spend no more, by DOLLARS of its entry in jobs\.org\. Raise it there, then approve it: passepartout jobs add pays/,
  ],
  ["that of the day", [], { BUDGET_PER_DAY: "0.15" }, /\/budget more DOLLARS allows it/],
] as const) {
  test(`a run that reaches ${what} cap of money ends between two steps, with what was done and what to do`, async (t) => {
    const paid: Step = {
      ...writes("a.txt"),
      sentUsage: { prompt_tokens: 10_000, completion_tokens: 1, total_tokens: 10_001 },
    };
    const { world, agent } = await openJobs(
      t,
      [paid, writes("b.txt"), ends],
      ({ workspace }) => [entry("pays", "Do it.", [`:FOLDER: ${workspace}`, ...property])],
      { LOOP_INPUT_PRICE: "10", LOOP_OUTPUT_PRICE: "30", ...setting },
    );
    await jobsOf(agent, { verb: "add", name: "pays" });
    const run = await outcomeOf(agent, "pays");
    assert.notEqual(run.state, "done");
    assert.match(run.reason, /^Budget exhausted: \$0\.0\d+ remaining, \$0\.\d+ requested\. /);
    assert.match(run.reason, advice);
    assert.equal(world.provider.requests.length, 1);
    assert.deepEqual(
      ["a.txt", "b.txt"].map((name) => existsSync(join(world.workspace, name))),
      [true, false],
    );
  });
}

test("a run whose cap of money is reached after several answers of models ends there, says which cap, is told once, and no more is spent", async (t) => {
  const paid = (name: string): Step => ({
    ...writes(name),
    sentUsage: { prompt_tokens: 10_000, completion_tokens: 1, total_tokens: 10_001 },
  });
  const { world, notes, daemon, agent } = await openJobs(
    t,
    [paid("a.txt"), paid("b.txt"), paid("c.txt"), writes("d.txt"), ends],
    ({ workspace }) => [entry("pays", "Do it.", [`:FOLDER: ${workspace}`, ":DOLLARS: 0.35"])],
    { LOOP_INPUT_PRICE: "10", LOOP_OUTPUT_PRICE: "30", HEARTBEAT_INTERVAL: "1" },
  );
  await jobsOf(agent, { verb: "add", name: "pays" });
  const run = await outcomeOf(agent, "pays");
  assert.equal(run.state, "failed");
  assert.match(run.reason, /^Budget exhausted: .*DOLLARS of its entry in jobs\.org/);
  const inbox = join(notes, "review.org");
  for (let tries = 0; tries < 600 && !existsSync(inbox); tries += 1) await pause(100);
  await jobsOf(agent, { verb: "run", name: "heartbeat" });
  await jobsOf(agent, { verb: "run", name: "heartbeat" });
  assert.equal(readFileSync(inbox, "utf8").match(/^\* TODO The job pays failed$/gm)?.length, 1);
  assert.equal(daemon.said().match(/The job pays failed/g)?.length, 1);
  assert.equal(world.provider.requests.length, 3);
  assert.deepEqual(
    ["a.txt", "b.txt", "c.txt", "d.txt"].map((name) => existsSync(join(world.workspace, name))),
    [true, true, true, false],
  );
});

test("a run that nobody started stops after ten steps, and says what it did; a person's turn goes on", async (t) => {
  const steps = Array.from({ length: 12 }, (_, at) => calls(["list-files", { path: ".", depth: at + 1 }]));
  const endless = ({ workspace }: { readonly workspace: string }) => [
    entry("endless", "Look at all.", [`:FOLDER: ${workspace}`, ":ATTEMPTS: 1"]),
  ];
  const { world, agent } = await openJobs(t, steps, endless);
  assert.equal((await jobsOf(agent, { verb: "add", name: "endless" })).code, "job-added");
  const run = await outcomeOf(agent, "endless");
  assert.equal(run.state, "failed");
  assert.match(run.reason, /^Stopped after 10 steps/);
  assert.equal(world.provider.requests.length, 10);
  world.provider.drop();
  world.provider.add(...steps, { text: "That was all." });
  assert.equal((await world.command(["ask", "look at all"])).out, "That was all.\n");
});
