import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { type AgentWorld, calls, makeWorld, named, onDatabase, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const line = "echo ran >> runs.txt; rm a.txt";
const once = calls(["shell", { cmd: line }]);

/** Two models that have to agree; nothing is tried beforehand. */
async function twoModels(t: TestContext, first: readonly Step[], second: readonly Step[]) {
  const world = await makeWorld(t, [...first, { text: "Done.", repeat: true }], {
    PROVIDER_CASCADE: "loop,second",
    CONSENSUS_MODELS: "loop,second",
    CONSENSUS_EFFECTS: "delete,final",
  });
  const other = await makeWorld(t, second);
  for (const name of ["a.txt", "b.txt"]) writeFileSync(world.path(name), "x");
  return { world, other, settings: { SECOND_BASE_URL: `${other.provider.url}/v1` } };
}

const disagree = /the models that you set for such steps do not agree: (.*)/;

const votesIn = (world: AgentWorld) =>
  onDatabase(world, "SELECT provider, state FROM ledger WHERE route = 'consensus' ORDER BY at").map(
    (row) => ({ ...row }),
  );

test("after a kill in the middle of a vote it is asked anew, each request is booked once, and the step is done once", async (t) => {
  const { world, other, settings } = await twoModels(t, [once], [{ fault: "hang" }]);
  const killed = await world.run(["ask", "run it and delete a.txt"], {
    settings,
    begun: ({ signal }) => void other.provider.reached(1).then(() => signal("SIGKILL")),
  });
  assert.equal(killed.code, null);
  assert.ok(existsSync(world.path("a.txt")));
  assert.deepEqual(votesIn(world), [{ provider: "second", state: "reserved" }]);
  other.provider.add(once);
  await using agent = await world.open(settings);
  const events: LoopEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  const [turn] = onDatabase(world, "SELECT id, session FROM turns");
  const [id, session] = [String(turn?.["id"]), String(turn?.["session"])];
  await agent.whenSettled(id);
  const [question] = named(events, "approval-required");
  assert.doesNotMatch(question?.reason ?? "", disagree);
  const said = await agent.say({ session, text: `/approve ${question?.token}`, source: "cli" });
  assert.notEqual(said.kind, "refused");
  await agent.whenSettled(id);
  assert.equal(readFileSync(world.path("runs.txt"), "utf8"), "ran\n");
  assert.ok(!existsSync(world.path("a.txt")));
  const votes = votesIn(world);
  assert.deepEqual(votes, [
    { provider: "second", state: "unknown" },
    { provider: "second", state: "settled" },
  ]);
  assert.equal(other.provider.requests.length, votes.length);
});

const two = calls(["shell", { cmd: line }], ["shell", { cmd: "rm b.txt" }]);

for (const [what, first, second, told] of [
  ["one proposes a second action", once, two, /second would .*b\.txt/],
  ["the first proposed a second action", two, once, /loop would .*b\.txt/],
  ["one writes arguments that are no JSON", once, unread("shell", "{cmd: rm"), /second /],
  ["one names a tool that there is not", once, calls(["obliterate", { path: "a.txt" }]), /second /],
  ["one stops in the middle", once, { text: "I would", fault: "break-off", repeat: true }, /second gave no/],
  ["one sends a page", once, { fault: "html", repeat: true }, /second gave no proposal/],
  ["one says nothing", once, { fault: "nothing", repeat: true }, /second gave no proposal/],
] as const satisfies readonly (readonly [string, Step, Step, RegExp])[]) {
  test(`nothing runs and the owner decides where ${what}`, async (t) => {
    const { world, settings } = await twoModels(t, [first], [second]);
    await using agent = await world.open({ ...settings, FIRST_TOKEN_TIMEOUT: "5", CASCADE_TIMEOUT: "10" });
    const said = await (await talkTo(agent)).say("run it and delete a.txt");
    assert.equal(said.end, "approval-required");
    assert.match(disagree.exec(said.text)?.[1] ?? "", told);
    for (const name of ["a.txt", "b.txt"]) assert.ok(existsSync(world.path(name)), name);
    assert.ok(!existsSync(world.path("runs.txt")));
  });
}

function unread(name: string, text: string): Step {
  return { calls: [{ id: "call-1", name, arguments: text }] };
}

test("what is private of a session stays from a second model that is not local", async (t) => {
  const passage = "the lump in my left lung has grown by four millimetres since spring";
  const { world, other, settings } = await twoModels(t, [once], [once]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "health.org"), `* Lung :@personal:\n${passage}\n`);
  await using agent = await world.open({
    ...settings,
    PROVIDER_CASCADE: "ollama,second",
    CONSENSUS_MODELS: "ollama,second",
    OLLAMA_HOST: `127.0.0.1:${world.provider.port}`,
  });
  const said = await (await talkTo(agent)).say("lung: delete a.txt");
  assert.equal(said.end, "approval-required");
  assert.match(world.provider.requests[0]?.body ?? "", /four millimetres/);
  assert.equal(other.provider.requests.length, 1);
  assert.doesNotMatch(other.provider.requests[0]?.body ?? "", /four millimetres/);
});
