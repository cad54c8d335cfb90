import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import {
  type AgentWorld,
  calls,
  explanation,
  journalOf,
  makeWorld,
  named,
  sent,
  talkTo,
} from "../agent-world.ts";

const withoutTools = { LOOP_TOOLS: "false" };

/** A skill that writes a line of a log, by an actuator with these effects. */
const logbook = (effects: string): string =>
  skillFile(
    ["CAPABILITIES: write-file"],
    `export const actuators = { logbook: {
      description: "Writes the log", effects: ${effects},
      parameters: { line: { type: "string" }, file: { type: "string", optional: true } },
      calls: ({ line, file }: { line: string; file?: string }) =>
        [{ tool: "write-file", args: { path: file ?? "log.txt", content: line } }],
      run: ({ line }: { line: string }) => ({ logged: line }),
    } };`,
  );

async function worldWith(
  t: TestContext,
  text: string,
  settings: Record<string, string> = {},
): Promise<AgentWorld> {
  const world = await makeWorld(t, [], settings);
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  writeFileSync(join(world.configuration, "skills", "logbook.org"), text);
  const enabled = await world.command(["skill", "enable", "logbook", "--yes"]);
  assert.equal(enabled.code, 0, enabled.err);
  return world;
}

const form = (payload: string): string =>
  `(:TYPE :REQUEST :TARGET :LOGBOOK :PAYLOAD (${payload}) :EXPLANATION "${explanation}")`;

test("an accepted skill brings an actuator: a form that names it is judged by the effects of its calls and performed, and a question in between is the owner's", async (t) => {
  const world = await worldWith(t, logbook('["read-path", "write-path"]'), withoutTools);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add({ text: form(':LINE "calm sea"') }, { text: "Logged." });
  const said = await talk.say("log it");
  assert.equal(said.text, "Logged.");
  assert.equal(named(said.events, "verdict")[0]?.verdict, "pass");
  assert.equal(readFileSync(world.path("log.txt"), "utf8"), "calm sea");
  const [intent] = journalOf(world).filter(
    ({ kind, detail }) => kind === "intent" && detail["tool"] !== undefined,
  );
  assert.deepEqual(
    [intent?.detail["tool"], intent?.effects?.map(({ kind }) => kind)],
    ["logbook", ["evaluate", "write-path"]],
  );
  world.provider.add({ text: form(':LINE "storm" :FILE "../out.txt"') });
  assert.equal((await talk.say("log it outside")).end, "approval-required");
  assert.equal(existsSync(join(world.home, "out.txt")), false);
  await talk.say("/undo");
});

test("an actuator of a skill is offered to a model with native calls, and is undone as what it called is", async (t) => {
  const world = await worldWith(t, logbook('["write-path"]'));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add(calls(["logbook", { line: "calm sea" }]), { text: "Logged." });
  assert.equal((await talk.say("use logbook")).text, "Logged.");
  assert.equal(readFileSync(world.path("log.txt"), "utf8"), "calm sea");
  await talk.say("/undo");
  assert.equal(existsSync(world.path("log.txt")), false);
});

test("an actuator of a skill does nothing that it does not declare", async (t) => {
  const world = await worldWith(t, logbook('["read-path"]'), withoutTools);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add({ text: form(':LINE "calm sea"') }, { text: "I see." });
  await talk.say("log it");
  assert.match(sent(world, 1), /The tool 'logbook' would do what it does not declare: write-path/);
  assert.equal(existsSync(world.path("log.txt")), false);
});

test("an actuator that calls a tool which its skill was not granted is blocked", async (t) => {
  const text = logbook('["write-path", "read-path"]').replace(
    "#+CAPABILITIES: write-file",
    "#+CAPABILITIES: read-file",
  );
  const world = await worldWith(t, text, withoutTools);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add({ text: form(':LINE "calm sea"') }, { text: "I see." });
  const said = await talk.say("log it");
  assert.equal(named(said.events, "verdict")[0]?.verdict, "block");
  assert.equal(existsSync(world.path("log.txt")), false);
});

test("an actuator leaves with its skill while the agent runs, and comes back with it", async (t) => {
  const world = await worldWith(t, logbook('["write-path"]'), withoutTools);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await world.command(["skill", "disable", "logbook"])).code, 0);
  world.provider.add({ text: form(':LINE "calm sea"') }, { text: "I see." });
  await talk.say("log it");
  assert.match(sent(world, 1), /There is no target .{1,4}logbook/);
  assert.equal((await world.command(["skill", "enable", "logbook", "--yes"])).code, 0);
  world.provider.add({ text: form(':LINE "calm sea"') }, { text: "Logged." });
  assert.equal((await talk.say("log it")).text, "Logged.");
  assert.equal(readFileSync(world.path("log.txt"), "utf8"), "calm sea");
});

for (const [what, module, problem] of [
  [
    "without its effects",
    `export const actuators = { fax: { description: "Fax", run: () => 1 } };`,
    /actuators\.fax\.effects/,
  ],
  [
    "with an effect that there is not",
    `export const actuators = { fax: { description: "Fax", effects: ["fly"], run: () => 1 } };`,
    /actuators\.fax\.effects/,
  ],
  [
    "with the name of its own tool",
    `const fax = { description: "Fax", run: () => 1 }; export const tools = { fax }; export const actuators = { fax: { ...fax, effects: [] } };`,
    /actuators\.fax: a tool has this name already/,
  ],
] as const)
  test(`an actuator ${what} is refused when the skill is checked`, async (t) => {
    const world = await makeWorld(t);
    mkdirSync(join(world.configuration, "skills"), { recursive: true });
    writeFileSync(join(world.configuration, "skills", "office.org"), skillFile([], module));
    const tested = await world.command(["skill", "test", "office"]);
    assert.equal(tested.code, 1);
    assert.match(tested.out + tested.err, problem);
  });

test("an actuator of a skill cannot take the name of one of the program, and the owner is shown what it declares", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  const of = (name: string) =>
    skillFile(
      [],
      `export const actuators = { ${name}: { description: "Says it", effects: ["reach-host"], run: () => 1 } };`,
    );
  writeFileSync(join(world.configuration, "skills", "says.org"), of("system"));
  assert.match(
    (await world.command(["skill", "list"])).out,
    /its actuator system is not used: the program has one of this name/,
  );
  writeFileSync(join(world.configuration, "skills", "says.org"), of("megaphone"));
  const shown = await world.command(["skill", "show", "says"]);
  assert.match(shown.out, /actuators: megaphone \(Says it; reach-host\)/);
});
