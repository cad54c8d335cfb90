import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, isMissing } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "./job-world.ts";

const ends: Step = { text: "That was all." };
const runs = (cmd: string): Step => calls(["shell", { cmd }]);
const tried = { TRIALS: "true" };

test("what a command deleted in its trial is allowed by its line alone, and a run that is put off for it names this line", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmds = ["rm old.log", "sh clean.sh", "rm old.log keep.log", "rm  old.log", "rm old.log"];
  const { world, agent } = await openJobs(
    t,
    cmds.flatMap((cmd) => [runs(cmd), ends]),
    ({ workspace }) => [entry("tidy", "Tidy up.", [`:FOLDER: ${workspace}`])],
    tried,
  );
  for (const name of ["keep.log", "old.log"]) writeFileSync(join(world.workspace, name), "x\n");
  writeFileSync(join(world.workspace, "clean.sh"), "rm old.log\nrm keep.log\n");
  await jobsOf(agent, { verb: "add", name: "tidy" });
  const { state, reason } = await outcomeOf(agent, "tidy");
  assert.equal(state, "put-off", reason);
  const [, line] = /write '(- ALLOW: .+)' below the properties/.exec(reason) ?? [];
  assert.equal(line, "- ALLOW: run rm old.log", reason);
  const file = join(world.configuration, "jobs.org");
  writeFileSync(file, readFileSync(file, "utf8").replace(":END:\n", `:END:\n${line}\n`));
  await jobsOf(agent, { verb: "add", name: "tidy" });
  for (const cmd of cmds.slice(1, -1)) {
    const other = await outcomeOf(agent, "tidy");
    assert.equal(other.state, "put-off", cmd);
    assert.ok(other.reason.includes(`'- ALLOW: run ${cmd}'`), other.reason);
  }
  assert.deepEqual(readdirSync(world.workspace).sort(), ["clean.sh", "keep.log", "old.log"]);
  const run = await outcomeOf(agent, "tidy");
  assert.equal(run.state, "done", run.reason);
  assert.deepEqual(readdirSync(world.workspace).sort(), ["clean.sh", "keep.log"]);
});

test("a script that a line allows may delete in its trial what nobody named, and plant nothing that is executed later", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const allowed = ["sh clean.sh", "sh plant.sh"];
  const { world, agent } = await openJobs(
    t,
    allowed.flatMap((cmd) => [runs(cmd), ends]),
    ({ workspace }) => [
      entry(
        "tidy",
        "Tidy up.",
        [`:FOLDER: ${workspace}`],
        allowed.map((cmd) => `run ${cmd}`),
      ),
    ],
    tried,
  );
  const put = (name: string, text: string) => writeFileSync(join(world.workspace, name), text);
  for (const name of ["a.log", "b.log", "c.txt"]) put(name, "x\n");
  put("clean.sh", "rm *.log; echo done > report.txt\n");
  put("plant.sh", "rm c.txt; mkdir -p .vscode; echo '{}' > .vscode/tasks.json\n");
  await jobsOf(agent, { verb: "add", name: "tidy" });
  const run = await outcomeOf(agent, "tidy");
  assert.equal(run.state, "done", run.reason);
  const planted = await outcomeOf(agent, "tidy");
  assert.match(`${planted.state}: ${planted.reason}`, /^put-off: .*tasks\.json is executed later/);
  assert.doesNotMatch(planted.reason, /- ALLOW:/);
  assert.deepEqual(readdirSync(world.workspace).sort(), ["c.txt", "clean.sh", "plant.sh", "report.txt"]);
});

test("a reflex that a line allows is added without a word of a question, and one that has no line with no word that it is put off", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const { world, agent } = await openJobs(
    t,
    [],
    ({ workspace }) => {
      const properties = [`:FOLDER: ${workspace}`, ":TIER: reflex"];
      return [
        entry("allowed", "run rm three.log", properties, ["run rm three.log"]),
        entry("made", "run touch made.txt", properties),
      ];
    },
    tried,
  );
  writeFileSync(join(world.workspace, "three.log"), "x\n");
  const { text } = await jobsOf(agent, { verb: "add", name: "allowed" });
  assert.match(text, /Without a question it may, in each run: run rm three\.log\./);
  assert.doesNotMatch(text, /As things stand|cannot be said/);
  const made = await jobsOf(agent, { verb: "add", name: "made" });
  assert.match(made.text, /Whether a run needs your yes cannot be said now: a command is tried in each run/);
  for (const name of ["allowed", "made"]) {
    const run = await outcomeOf(agent, name);
    assert.equal(run.state, "done", run.reason);
  }
  assert.equal(existsSync(join(world.workspace, "three.log")), false);
  assert.equal(existsSync(join(world.workspace, "made.txt")), true);
});
