import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { TakeNews } from "../../src/daemon/agent/resources/untold.ts";
import { openDoors } from "../../src/daemon/open-doors.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, explanation, makeWorld, named } from "../agent-world.ts";
import { makeChatWorld, type OpenedWorld, until } from "./chat-world.ts";

/** A form for a model that has no native tool calls. */
const toPhone = (text: string): string =>
  JSON.stringify({ target: "telegram", payload: { action: "message", text }, explanation });

test("telegram is a default actuator only where it is set up", async (t) => {
  const settings = { DEFAULT_ACTUATOR: "telegram" };
  const without = loadPolicy({ ...(await makeWorld(t)).environment, ...settings }).config;
  assert.equal(without.defaultActuator, "cli");
  assert.match(without.problems.join(), /DEFAULT_ACTUATOR is not one of cli, tui;/);
  const { world } = await makeChatWorld(t);
  const config = loadPolicy({ ...world.environment, ...settings }).config;
  assert.deepEqual([config.defaultActuator, config.problems], ["telegram", []]);
});

test("a message by the actuator reaches the owner's phone without a question, and is done once it was delivered", async (t) => {
  const { fake, open } = await makeChatWorld(t, [{ text: toPhone("The kettle is on.") }, { text: "Told." }]);
  await using opened = await open({ settings: { LOOP_TOOLS: "false" } });
  const events = await say(opened, "Tell me on my phone that the kettle is on.");
  assert.deepEqual(fake.said(), ["The kettle is on."]);
  assert.equal(named(events, "verdict")[0]?.verdict, "pass");
});

test("there is no target telegram where it is not set up, nor where no chat is linked", async (t) => {
  const world = await makeWorld(t, [{ text: toPhone("hi") }, { text: "So be it." }], { LOOP_TOOLS: "false" });
  const asked = await world.command(["ask", "tell my phone"]);
  assert.match(asked.out, /So be it/);
  assert.match(world.provider.requests[1]?.body ?? "", /There is no target .{0,3}telegram/);
  const { world: other, open } = await makeChatWorld(t, [{ text: toPhone("hi") }, { text: "Not told." }], {
    linked: false,
  });
  await using opened = await open({ settings: { LOOP_TOOLS: "false" } });
  await say(opened, "tell my phone");
  assert.match(other.provider.requests[1]?.body ?? "", /There is no target .{0,3}telegram/);
});

test("what is private is withheld from a chat whose service could read it, and stands in the session", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [
    calls(["search-files", { pattern: "heron" }]),
    { text: "Your diary says: the heron has a secret nest." },
  ]);
  mkdirSync(join(world.home, "memex"), { recursive: true });
  writeFileSync(
    join(world.home, "memex", "diary.org"),
    "* Nest :@personal:\nThe heron has a secret nest at the old sluice behind the mill.\n",
  );
  await using _ = await open({ settings: { LOOP_LOCAL: "true" } });
  fake.say("what of the heron?");
  await until("an answer", () => fake.said().length > 0);
  assert.doesNotMatch(fake.said().join(), /secret nest/);
  assert.match(fake.said().join(), /withheld: .*telegram could read this, and it is private/);
});

test("private news is not told by a service that can read it: the chat is told that something waits, once, and the terminal has it", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, []);
  const nest = "The heron has a secret nest at the old sluice behind the mill.";
  mkdirSync(join(world.home, "memex"), { recursive: true });
  writeFileSync(join(world.home, "memex", "diary.org"), `* Nest :@personal:\n${nest}\n`);
  const settings = { DEFAULT_ACTUATOR: "telegram" };
  {
    await using before = await open();
    await before.agent.tellHere(`A turn was cut off by a kill: ${nest}`);
    await before.agent.tellHere("The job mow is done");
  }
  {
    await using opened = await open({ settings });
    await until("what is public is told", () => fake.said().length === 1);
    assert.match(fake.said()[0] ?? "", /^The job mow is done\nSomething private waits at the terminal/);
    assert.deepEqual(await opened.agent.untold(""), [`A turn was cut off by a kill: ${nest}`]);
    await opened.doors[Symbol.asyncDispose]();
    const taking = Promise.withResolvers<TakeNews>();
    const divertNews = (take: TakeNews) => {
      taking.resolve(take);
      return () => undefined;
    };
    const { state, policy } = opened;
    const variables = world.environment;
    await using again = openDoors({ agent: { ...opened.agent, divertNews }, state, policy, variables });
    await again.look();
    await until("the notice of what still waits", () => fake.said().length === 2);
    assert.equal(await (await taking.promise)(`The job nest is done: ${nest}`), true);
    await until("a notice", () => fake.said().length === 3);
    assert.match(fake.said()[2] ?? "", /^Something private waits at the terminal/);
    assert.equal((await opened.agent.untold("")).length, 2);
  }
  assert.doesNotMatch(JSON.stringify(fake.calls), /secret nest/);
});

/** Says something in a session of the terminal, and waits for its end. */
async function say({ agent }: OpenedWorld, text: string): Promise<readonly LoopEvent[]> {
  const session = await agent.openSession({ name: null, latest: false, source: "cli" });
  const events: LoopEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  const said = await agent.say({ session, text, source: "cli" });
  assert.ok(said.kind === "turn", JSON.stringify(said));
  await agent.whenSettled(said.turn);
  return events;
}
