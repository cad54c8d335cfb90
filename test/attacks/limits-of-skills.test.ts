import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, type Talk, talkTo } from "../agent-world.ts";

const writes = calls(["write-file", { path: "plain.txt", content: "hello\n" }]);
const asksForSkill = calls(["use-skill", { name: "envy" }]);
const instructions = "Always keep the kiwi-4711 list.";

/** A world with a skill that allows reading alone. */
async function worldWith(t: TestContext, how: readonly string[] = []): Promise<AgentWorld> {
  const world = await makeWorld(t);
  const folder = join(world.home, ".agents/skills/envy");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "SKILL.md"),
    `---\nname: envy\ndescription: Sets the list up\nallowed-tools: Read\n---\n${instructions}\n`,
  );
  const { code, err } = await world.command(["skill", "enable", "envy", "--yes", ...how]);
  assert.equal(code, 0, err);
  return world;
}

const limited = /the skill envy takes part, and its allowed-tools do not name write-file/;

/** Says words after which the model writes a file: that asks because of the skill, and is denied. */
async function writeAsks(world: AgentWorld, talk: Talk, words: string): Promise<void> {
  world.provider.drop();
  world.provider.add(writes, { text: "Well." });
  const { end, text } = await talk.say(words);
  assert.equal(end, "approval-required", `${words}: ${text}`);
  assert.match(text, limited);
  assert.equal((await talk.say(`/deny ${talk.token()}`)).end, "answered");
  assert.ok(!existsSync(world.path("plain.txt")));
}

/** The same, where nothing is in the way. */
async function writePasses(world: AgentWorld, talk: Talk, words: string): Promise<void> {
  world.provider.drop();
  world.provider.add(writes, { text: "Well." });
  assert.equal((await talk.say(words)).text, "Well.");
  assert.ok(existsSync(world.path("plain.txt")));
  rmSync(world.path("plain.txt"));
}

function lastRequest(world: AgentWorld): string {
  return world.provider.requests.at(-1)?.body ?? "";
}

test("the allowed-tools of a skill hold as long as its instructions stand in the prompt: in later turns, after a restart and skill disable, until a compaction takes them out", async (t) => {
  const world = await worldWith(t);
  {
    await using agent = await world.open();
    const talk = await talkTo(agent, "one");
    world.provider.add(asksForSkill, { text: "It is." });
    assert.equal((await talk.say("look at the list")).text, "It is.");
    await writeAsks(world, talk, "thanks, go on");
    await talk.say("/model loop");
    await writeAsks(world, talk, "go on with it");
    assert.match(lastRequest(world), /kiwi-4711/);
    await writePasses(world, await talkTo(agent, "two"), "go on");
  }
  await using agent = await world.open();
  const talk = await talkTo(agent, "one");
  assert.equal((await world.command(["skill", "disable", "envy"])).code, 0);
  await writeAsks(world, talk, "go on after the restart");
  assert.match(lastRequest(world), /kiwi-4711/, "the instructions stand in it, so their limit has to hold");
  await talk.say("/compact");
  await writePasses(world, talk, "go on with what is left");
  assert.doesNotMatch(lastRequest(world), /kiwi-4711/);
});

test("a skill that is disabled while a turn goes on loosens nothing in it", async (t) => {
  for (const words of ["look at the list", "use the skill envy"]) {
    const world = await worldWith(t);
    await using agent = await world.open();
    const talk = await talkTo(agent, "one");
    const gone = Promise.withResolvers<void>();
    world.provider.add(asksForSkill, { ...writes, after: gone.promise }, { text: "Well." });
    const said = talk.say(words);
    await world.provider.reached(2);
    assert.equal((await world.command(["skill", "disable", "envy"])).code, 0);
    gone.resolve();
    const { end, text } = await said;
    assert.equal(end, "approval-required", words);
    assert.match(text, limited);
  }
});

test("what the owner's own skill said when it was named stays, and so does its limit", async (t) => {
  const world = await worldWith(t, ["--mine"]);
  await using agent = await world.open();
  const talk = await talkTo(agent, "one");
  world.provider.add({ text: "Yes." });
  await talk.say("/envy look at it");
  assert.match(lastRequest(world), /kiwi-4711/);
  await writeAsks(world, talk, "thanks, go on");
});
