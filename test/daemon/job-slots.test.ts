import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { entry, jobsOf, openJobs, outcomeOf, runsOf } from "./job-world.ts";

test("four jobs whose models do not come to an end hold up no job without a model, no upkeep and no answer; the fifth runs once one of them ends", async (t) => {
  const hung = ["one", "two", "three", "four"];
  // It is never silent, and goes on for longer than the test.
  const drip = Array.from({ length: 1000 }, () => "and ");
  const { world, notes, agent } = await openJobs(
    t,
    [
      ...hung.map((name) => ({ when: `Look at ${name}`, text: drip, pauseMs: 1000 })),
      { when: "Look at five", text: "Seen." },
      { when: "Are you there", text: "Yes." },
    ],
    ({ workspace }) => [
      ...[...hung, "five"].map((name) =>
        entry(name, `Look at ${name}.`, [`:FOLDER: ${workspace}`, ":LIMIT: 1d", ":ATTEMPTS: 1"]),
      ),
      entry("reflex", "write seen.txt: yes", [":TIER: reflex", `:FOLDER: ${workspace}`]),
    ],
    { HEARTBEAT_INTERVAL: "1" },
  );
  for (const name of [...hung, "five", "reflex"]) await jobsOf(agent, { verb: "add", name });
  for (const name of hung) await jobsOf(agent, { verb: "run", name });
  await world.provider.reached(4);
  const fifth = outcomeOf(agent, "five");
  assert.equal((await outcomeOf(agent, "reflex")).state, "done");
  assert.equal(readFileSync(world.path("seen.txt"), "utf8").trim(), "yes");
  mkdirSync(join(notes, "deep"));
  writeFileSync(join(notes, "deep/new.org"), "* Heron\n");
  assert.match((await jobsOf(agent, { verb: "run", name: "watch-notes" })).text, /compared with the index/);
  const session = await agent.openSession({ name: null, latest: false, source: "cli" });
  const said = await agent.say({ session, text: "Are you there?", source: "cli" });
  assert.ok(said.kind === "turn");
  await agent.whenSettled(said.turn);
  const statesOf = async (): Promise<readonly string[]> => {
    const runs = await runsOf(agent, null);
    return [...hung, "five"].map((name) => runs.find(({ job }) => job === name)?.state ?? "");
  };
  assert.deepEqual(await statesOf(), ["running", "running", "running", "running", "queued"]);
  const ofOne = await agent.openSession({ name: "job one", latest: false, source: "cli" });
  await agent.say({ session: ofOne, text: "/stop", source: "cli" });
  assert.equal((await fifth).state, "done");
  assert.deepEqual(await statesOf(), ["failed", "running", "running", "running", "done"]);
});
