import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { calls, isMissing } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "./job-world.ts";
import { listenTo, textOf } from "./wire-client.ts";

const ends: Step = { text: "That was all." };
const runs = (cmd: string): Step => calls(["shell", { cmd }]);

for (const [cmd, prepare, isDone] of [
  [
    "rm plan.txt",
    (folder: string) => writeFileSync(join(folder, "plan.txt"), "roses\n"),
    (folder: string) => !existsSync(join(folder, "plan.txt")),
  ],
  [
    "rm -rf build",
    (folder: string) => {
      mkdirSync(join(folder, "build"));
      writeFileSync(join(folder, "build", "a.o"), "x");
    },
    (folder: string) => !existsSync(join(folder, "build")),
  ],
  [
    "sh clean.sh",
    (folder: string) => {
      writeFileSync(join(folder, "clean.sh"), "rm *.log; echo done > report.txt\n");
      for (const name of ["a.log", "b.log", "c.log"]) writeFileSync(join(folder, name), "x\n");
    },
    (folder: string) => !existsSync(join(folder, "b.log")) && existsSync(join(folder, "report.txt")),
  ],
] as const) {
  test(`a run that is put off at '${cmd}' names the line that allows it, and with this line the next run is done`, async (t) => {
    const { world, notes, agent } = await openJobs(t, [runs(cmd), ends, runs(cmd), ends], ({ workspace }) => [
      entry("tidy", "Tidy up.", [`:FOLDER: ${workspace}`]),
    ]);
    prepare(world.workspace);
    await jobsOf(agent, { verb: "add", name: "tidy" });
    const refused = await outcomeOf(agent, "tidy");
    assert.equal(refused.state, "put-off");
    assert.equal(isDone(world.workspace), false);
    const [, line] = /write '(- ALLOW: .+)' below the properties/.exec(refused.reason) ?? [];
    assert.equal(line, `- ALLOW: run ${cmd}`, refused.reason);
    const file = join(world.configuration, "jobs.org");
    writeFileSync(file, readFileSync(file, "utf8").replace(":END:\n", `:END:\n${line}\n`));
    const added = await jobsOf(agent, { verb: "add", name: "tidy" });
    assert.match(added.text, /Without a question it may, in each run: run /);
    const run = await outcomeOf(agent, "tidy");
    assert.deepEqual([run.state, isDone(world.workspace)], ["done", true], run.reason);
    const shown = await world.command(["cli", "--session", "job tidy"], {
      input: "/exit\n",
      settings: { MEMEX_DIR: notes },
    });
    assert.match(shown.out, /The job said last: Tidy up\.\n[\s\S]*That was all\./);
    const elsewhere = await world.command(["cli"], { input: "/exit\n", settings: { MEMEX_DIR: notes } });
    assert.match(shown.out, /The job tidy was put off: It needs your yes\./);
    assert.match(
      shown.out,
      /The job tidy is done: That was all\. \(passepartout cli --session 'job tidy' shows it\)/,
    );
    assert.doesNotMatch(elsewhere.out, /The job tidy/);
  });
}

test("a run whose command failed in its trial for want of the network is put off, says so, and names a line that can be allowed", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const { world, agent } = await openJobs(
    t,
    [runs("sh look.sh"), ends],
    ({ workspace }) => [
      entry("look", "Look.", [`:FOLDER: ${workspace}`]),
      entry("named", "Look.", [`:FOLDER: ${workspace}`], ["run curl https://example.org/"]),
    ],
    { TRIALS: "true" },
  );
  writeFileSync(join(world.workspace, "look.sh"), "curl -sS https://example.org/\n");
  await jobsOf(agent, { verb: "add", name: "look" });
  const run = await outcomeOf(agent, "look");
  assert.equal(run.state, "put-off", run.reason);
  assert.match(
    run.reason,
    /it needs the network \(example\.org\), and no line allows that for this command\. .*'- ALLOW: run curl https:\/\/example\.org\/…'/,
  );
  const added = await jobsOf(agent, { verb: "add", name: "named" });
  assert.match(added.text, /Without a question it may, in each run: run curl https:\/\/example\.org\//);
});

test("a run whose sub-task lacked the network is put off, too, and told that no line allows that to a sub-task", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const delegates = calls(["delegate", { tasks: [{ task: "Look there.", tools: ["shell"] }] }]);
  const { world, agent } = await openJobs(
    t,
    [delegates, runs("sh look.sh"), ends, { text: "It is done." }],
    ({ workspace }) => [entry("look", "Look.", [`:FOLDER: ${workspace}`])],
    { TRIALS: "true" },
  );
  writeFileSync(join(world.workspace, "look.sh"), "curl -sS https://example.org/\n");
  await jobsOf(agent, { verb: "add", name: "look" });
  const run = await outcomeOf(agent, "look");
  assert.equal(run.state, "put-off", run.reason);
  assert.match(run.reason, /it needs the network \(example\.org\), which no line allows to a sub-task/);
});

test("a conversation that is open is told of a run in one line, and the next one is not", async (t) => {
  const { world, notes, daemon, agent } = await openJobs(t, [ends], ({ workspace }) => [
    entry("tidy", "Tidy up.", [`:FOLDER: ${workspace}`]),
  ]);
  const { client, message, request } = listenTo(t, world, daemon);
  client.send({ type: "request", id: "open", payload: { action: "session", name: "mine" } });
  await jobsOf(agent, { verb: "add", name: "tidy" });
  await outcomeOf(agent, "tidy");
  const told = await message((one) => payloadOf(one)["code"] === "news");
  assert.equal(
    textOf(told),
    "The job tidy is done: That was all. (passepartout cli --session 'job tidy' shows it)",
  );
  await request("overview");
  const next = await world.command(["cli"], { input: "/exit\n", settings: { MEMEX_DIR: notes } });
  assert.doesNotMatch(next.out, /The job tidy/);
});

test("an allowed command line allows no other, nothing that is executed later, and nothing outside of the job's folder", async (t) => {
  const steps = ["rm b.txt", "sh plant.sh"].flatMap((cmd) => [runs(cmd), ends]);
  const { world, agent } = await openJobs(t, steps, ({ workspace }) => [
    entry("tidy", "Tidy up.", [`:FOLDER: ${workspace}`], ["run rm a.txt", "run sh plant.sh"]),
  ]);
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(world.workspace, name), "roses\n");
  writeFileSync(
    join(world.workspace, "plant.sh"),
    "rm a.txt; mkdir -p .vscode; echo '{}' > .vscode/tasks.json\n",
  );
  await jobsOf(agent, { verb: "add", name: "tidy" });
  const other = await outcomeOf(agent, "tidy");
  assert.match(`${other.state}: ${other.reason}`, /^put-off: .*b\.txt/);
  await outcomeOf(agent, "tidy");
  assert.deepEqual(
    ["a.txt", "b.txt", ".vscode"].map((name) => existsSync(join(world.workspace, name))),
    [false, true, false],
  );
});

test("the entries of the manual's page are added as they stand there, and do what they say", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "jobs.md"), "utf8");
  const entries = [...page.matchAll(/^```org\n([\s\S]+?)^```/gm)].map(([, text = ""]) => text);
  const named = entries.flatMap((text) => [...text.matchAll(/^\* (.+)$/gm)].map(([, name = ""]) => name));
  const allowed = entries.flatMap((text) =>
    [...text.matchAll(/^- ALLOW: run (.+)$/gm)].map(([, cmd = ""]) => cmd),
  );
  assert.ok(named.length > 0 && allowed.length > 0);
  const { world, agent } = await openJobs(t, [...allowed.map(runs), ends], () => entries, {
    TRIALS: "true",
  });
  const garden = join(world.home, "garden");
  mkdirSync(garden);
  for (const cmd of allowed) writeFileSync(join(garden, cmd.split(" ").at(-1) ?? ""), "old\n");
  for (const name of named) {
    const { text } = await jobsOf(agent, { verb: "add", name });
    assert.match(text, new RegExp(`^The job ${name} is approved`));
  }
  const run = await outcomeOf(agent, named[0] ?? "");
  assert.equal(run.state, "done", run.reason);
  assert.deepEqual(readdirSync(garden), []);
});
