import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { type AgentWorld, calls, makeWorld, sent, talkTo } from "../agent-world.ts";

function teach(world: AgentWorld, name: string, text: string): string {
  const folder = join(world.configuration, "skills");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const makes = skillFile(
  ["CAPABILITIES: shell:mkdir"],
  "export const tools = { make: { description: 'Make', calls: () => [{ tool: 'shell', args: { cmd: 'mkdir made' } }] } };",
);

test("a yes to a call of a skill that was disabled, removed or changed since the question does not run it", async (t) => {
  for (const away of ["disabled", "removed", "changed"] as const) {
    const world = await makeWorld(t);
    const path = teach(world, "make.org", makes);
    assert.equal((await world.command(["skill", "enable", "make", "--yes"])).code, 0);
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    world.provider.add(calls(["make", {}]));
    assert.equal((await talk.say("make it")).end, "approval-required");
    if (away === "disabled") assert.equal((await world.command(["skill", "disable", "make"])).code, 0);
    else if (away === "removed") rmSync(path);
    else teach(world, "make.org", makes.replace("mkdir made", "mkdir made other"));
    world.provider.add({ text: "It was not made." }, { text: "It was not made." });
    await talk.say(`/approve ${talk.token()}`);
    assert.equal(existsSync(world.path("made")), false, away);
    assert.equal(existsSync(world.path("other")), false, away);
  }
});

test("triggers and prompts that loop, throw and allocate leave other turns as they are", async (t) => {
  const world = await makeWorld(t);
  const never = "for (;;);";
  const eats = "const all = []; for (;;) all.push(new Uint8Array(1e6));";
  for (const [name, body] of [
    ["loops", never],
    ["throws", "throw new Error('no');"],
    ["eats", eats],
  ] as const)
    for (const part of ["trigger", "prompt"] as const) {
      const takes = part === "prompt" ? "export const trigger = () => true;\n" : "";
      teach(
        world,
        `${name}-${part}.org`,
        skillFile(["PRIORITY: 90"], `${takes}export const ${part} = () => { ${body} };`),
      );
    }
  teach(
    world,
    "kitchen.org",
    `${skillFile(["TRIGGER_WORDS: kitchen", "PRIORITY: 95"], "")}#+begin_prompt\nUse grams.\n#+end_prompt\n`,
  );
  await using daemon = await world.open();
  world.provider.add({ text: "One." }, { text: "Two." }, { text: "Three." });
  const talks = await Promise.all(["a", "b", "c"].map((name) => talkTo(daemon, name)));
  const said = await Promise.all(
    talks.map((talk, at) => talk.say(at === 2 ? "the kitchen scale" : "hello there")),
  );
  assert.deepEqual(said.map(({ text }) => text).sort(), ["One.", "Three.", "Two."]);
  assert.match([0, 1, 2].map((at) => sent(world, at)).join("\n"), /Use grams/);
});
