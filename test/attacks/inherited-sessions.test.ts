import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { makeWorld, talkTo } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";

const secret = "emus-4711";

async function forkOf(agent: Agent, session: string): Promise<string> {
  const reply = await agent.runCommand({ kind: "fork-session", id: null }, session);
  const [, id] = /--session (\S+)/.exec(reply.kind === "said" ? reply.text : "") ?? [];
  assert.ok(id !== undefined);
  return id;
}

async function sayIn(agent: Agent, session: string, text: string): Promise<void> {
  const said = await agent.say({ session, text, source: "cli" });
  assert.equal(said.kind, "turn");
  if (said.kind === "turn") await agent.whenSettled(said.turn);
}

test("a fork asks the model that its session chose, and no other", async (t) => {
  const local = await makeWorld(t, [{ text: "Mine.", repeat: true }]);
  const world = await makeWorld(t, [{ text: "Loop.", repeat: true }]);
  await using agent = await world.open({
    PROVIDER_CASCADE: "loop,ollama",
    OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
  });
  const talk = await talkTo(agent, "one");
  await talk.say("/model ollama");
  await talk.say(`my salary is ${secret}`);
  const fork = await forkOf(agent, talk.session);
  await sayIn(agent, fork, "and double of it?");
  await sayIn(agent, await forkOf(agent, fork), "and half of it?");
  assert.equal(world.provider.requests.length, 0);
  assert.match(local.provider.requests.at(-1)?.body ?? "", /emus-4711[\s\S]*and double[\s\S]*and half/);
  await (await talkTo(agent, "two")).say("hello");
  assert.equal(world.provider.requests.length, 1, "another session chose nothing");
});

test("what was cleared for models stays cleared in a fork", async (t) => {
  const world = await makeWorld(t, [{ text: "Well.", repeat: true }]);
  await using agent = await world.open();
  const talk = await talkTo(agent, "one");
  await talk.say(`my salary is ${secret}`);
  await talk.say("/clear");
  await sayIn(agent, await forkOf(agent, talk.session), "and double of it?");
  assert.doesNotMatch(world.provider.requests.at(-1)?.body ?? "", /emus-4711/);
});

test("a job that moves to another folder asks the model that was chosen in its session, and no other", async (t) => {
  const local = await makeWorld(t, [{ text: "Mine.", repeat: true }]);
  const { world, agent } = await openJobs(
    t,
    [{ text: "Loop.", repeat: true }],
    ({ workspace }) => [entry("tell", `say ${secret}`, [`:FOLDER: ${workspace}`])],
    { PROVIDER_CASCADE: "loop,ollama", OLLAMA_HOST: `127.0.0.1:${local.provider.port}` },
  );
  await jobsOf(agent, { verb: "add", name: "tell" });
  const session = await agent.openSession({ name: "job tell", latest: false, source: "cli" });
  const chosen = await agent.say({ session, text: "/model ollama", source: "cli" });
  assert.match(chosen.kind === "said" ? chosen.text : "", /this session asks ollama/);
  const other = join(world.home, "other");
  mkdirSync(other);
  writeFileSync(
    join(world.configuration, "jobs.org"),
    entry("tell", `say ${secret} twice`, [`:FOLDER: ${other}`]),
  );
  await jobsOf(agent, { verb: "add", name: "tell" });
  assert.equal((await outcomeOf(agent, "tell")).reason, "Mine.");
  assert.equal(world.provider.requests.length, 0);
});
