import assert from "node:assert/strict";
import { test } from "node:test";
import { calls } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";

test("the agenda tells a model no name of a private job, and the owner each", async (t) => {
  const { world, agent } = await openJobs(t, [], ({ workspace }) => [
    entry("divorce-emus4711 :@personal:", "Say hello", [`:FOLDER: ${workspace}`]),
  ]);
  await jobsOf(agent, { verb: "add", name: "divorce-emus4711" });
  assert.equal((await outcomeOf(agent, "divorce-emus4711")).state, "failed");
  world.provider.add(calls(["agenda", {}]), { text: "Well." });
  const session = await agent.openSession({ name: "two", latest: false, source: "cli" });
  const said = await agent.say({ session, text: "what is due?", source: "cli" });
  assert.ok(said.kind === "turn");
  await agent.whenSettled(said.turn);
  const sent = world.provider.requests.map(({ body }) => body).join("\n");
  assert.match(sent, /A job failed: \[withheld: private\]/);
  assert.doesNotMatch(sent, /emus4711/);
  assert.match((await world.command(["agenda"])).out, /The job divorce-emus4711 failed/);
});
