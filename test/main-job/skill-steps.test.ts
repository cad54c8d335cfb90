import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { type AgentWorld, calls, journalOf, makeWorld, onDatabase, sent, talkTo } from "../agent-world.ts";

/** A world with a skill that the owner accepted, whose one tool `carry` has these steps. */
async function worldWith(t: TestContext, steps: string, limits: readonly string[] = []): Promise<AgentWorld> {
  const world = await makeWorld(t);
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  const code = `export const tools = { carry: {
    description: "Carry", parameters: { from: { type: "string" } },
    ${steps},
  } };`;
  const file = skillFile(["CAPABILITIES: read-file, write-file", ...limits], code);
  writeFileSync(join(world.configuration, "skills", "carry.org"), file);
  const enabled = await world.command(["skill", "enable", "carry", "--yes"]);
  assert.equal(enabled.code, 0, enabled.err);
  writeFileSync(world.path("a.txt"), "first\n");
  return world;
}

test("a tool in steps calls further tools by what it got: each round is judged by its own effects, and a question in between outlives the process", async (t) => {
  const outside = "outside.txt";
  const world = await worldWith(
    t,
    `*steps({ from }: { from: string }) {
      const [page] = yield [{ tool: "read-file", args: { path: from } }];
      const words = JSON.stringify(page).includes("first") ? "FIRST" : "?";
      const got: unknown[] = yield [{ tool: "write-file", args: { path: "../${outside}", content: words } }];
      return { written: words, results: got.length };
    }`,
  );
  let token = "";
  {
    await using before = await world.open();
    const talk = await talkTo(before);
    world.provider.add(calls(["carry", { from: "a.txt" }]), { text: "Carried." });
    assert.equal((await talk.say("carry it")).end, "approval-required");
    token = talk.token();
  }
  assert.equal(existsSync(join(world.home, outside)), false);
  // What the first round read is not read again.
  writeFileSync(world.path("a.txt"), "changed\n");
  await using daemon = await world.open();
  const waiting = await daemon.findQuestion(token);
  assert.ok(waiting !== null);
  const said = await daemon.runCommand({ kind: "approve", token }, waiting.session);
  assert.equal(said.kind, "turn");
  await daemon.whenSettled(waiting.turn);
  assert.equal(readFileSync(join(world.home, outside), "utf8"), "FIRST");
  assert.match(sent(world, 1), /written\D+FIRST[\s\S]*results\D+1/);
  const intents = journalOf(world).filter(
    ({ kind, detail }) => kind === "intent" && detail["tool"] === "carry",
  );
  assert.deepEqual(
    intents.map(({ effects }) => effects?.map(({ kind }) => kind)),
    [["evaluate", "read-path"], ["evaluate", "write-path"], ["evaluate"]],
  );
});

for (const [name, steps, limits, refusal] of [
  [
    "steps that never end are ended after ten rounds",
    `*steps() { for (let n = 0; ; n++) yield [{ tool: "write-file", args: { path: "n.txt", content: String(n) } }]; }`,
    [],
    /The skill carry wanted further calls after 10 rounds of them\. What it called before was done: write-file\./,
  ],
  [
    "rounds count as calls of the turn",
    `*steps() { for (;;) yield [{ tool: "read-file", args: { path: "a.txt" } }]; }`,
    ["TOOL_CALLS: 3"],
    /The skill carry may make 3 calls of tools in a turn[\s\S]*What it called before was done: read-file\./,
  ],
  [
    "a loop between two rounds ends by its time",
    `*steps() { yield [{ tool: "read-file", args: { path: "a.txt" } }]; for (;;) {} }`,
    [],
    /The skill carry failed: time-limit\. What it called before was done: read-file\./,
  ],
  [
    "a step that throws says why, and what was done",
    `*steps() { yield [{ tool: "read-file", args: { path: "a.txt" } }]; throw new Error("no second page"); }`,
    [],
    /no second page[\s\S]*What it called before was done: read-file\./,
  ],
  [
    "a step that yields rubbish fails",
    `*steps() { yield { tool: "read-file" }; }`,
    [],
    /named its calls in a form that cannot be read/,
  ],
  ["steps that are no generator fail", `steps: () => ({ next: 1 })`, [], /is no generator/],
  [
    "steps that wait for a promise fail",
    `async *steps() { yield []; }`,
    [],
    /named its calls in a form that cannot be read/,
  ],
  [
    "a later round calls no tool that the skill did not declare",
    `*steps() { yield [{ tool: "read-file", args: { path: "a.txt" } }]; yield [{ tool: "shell", args: { cmd: "ls" } }]; }`,
    [],
    /which its capabilities do not name: read-file, write-file[\s\S]*What it called before was done: read-file\./,
  ],
] as const)
  test(name, async (t) => {
    const world = await worldWith(t, steps, limits);
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    world.provider.add(calls(["carry", { from: "a.txt" }]), { text: "It did not work." });
    assert.equal((await talk.say("carry it")).text, "It did not work.");
    assert.match(sent(world, 1), refusal);
  });

test("after a kill behind a round, before what it gave was kept, the call says that its first part was done and the rest was not", async (t) => {
  const world = await worldWith(
    t,
    `*steps() { yield [{ tool: "read-file", args: { path: "a.txt" } }]; yield [{ tool: "write-file", args: { path: "../b.txt", content: "b" } }]; }`,
  );
  let turn = "";
  {
    await using before = await world.open();
    const talk = await talkTo(before);
    world.provider.add(calls(["carry", { from: "a.txt" }]));
    const asked = await talk.say("carry it");
    assert.equal(asked.end, "approval-required");
    turn = asked.turn;
  }
  const outcome = journalOf(world).find(({ detail }) => detail["further"] === true);
  assert.ok(outcome?.kind === "outcome");
  // As the disk is after a kill there: the outcome is in the journal, and the turn still runs the call.
  onDatabase(
    world,
    `UPDATE turns SET state = 'acting', body = json_remove(json_set(body, '$.state', 'acting', '$.running', '${outcome.digest}'), '$.rounds') WHERE id = '${turn}'`,
  );
  world.provider.add({ text: "Half of it." });
  await using daemon = await world.open();
  await daemon.whenSettled(turn);
  assert.match(sent(world, 1), /The first part of it was done[\s\S]*the rest was not done/);
  assert.equal(existsSync(join(world.home, "b.txt")), false);
});
