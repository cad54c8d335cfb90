import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, filesWith, makeWorld, onDatabase, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const skill = `#+TITLE: Words
#+TRIGGER_WORDS: word

#+begin_src typescript
export const tools = {
  "last-word": {
    description: "The word before the last",
    parameters: { text: { type: "string" } },
    run({ text }: { text: string }): string {
      return text.split(" ").at(-2)!.trim();
    },
  },
};
#+end_src

#+begin_src typescript :test of two words
equal(skill.tools["last-word"].run({ text: "one two" }), "one");
#+end_src
`;
const fix = (file: string): string => `\`\`\`diff
--- ${file}
+++ ${file}
@@ -9,1 +9,1 @@
-      return text.split(" ").at(-2)!.trim();
+      return (text.split(" ").at(-2) ?? "").trim();
\`\`\``;
const bad = ["last-word", { text: "one" }] as const;

async function failingWorld(t: TestContext, more: readonly Step[]) {
  const world = await makeWorld(t, [calls(bad, bad, bad), { text: "It fails." }, ...more]);
  const folder = join(world.configuration, "skills");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(world.home, "memex"));
  const path = join(folder, "words.org");
  writeFileSync(path, skill);
  return { world, path, inbox: join(world.home, "memex", "review.org") };
}

test("a skill that fails three times gets a fix that was tried, and nothing changes before the owner takes it", async (t) => {
  const { world, path, inbox } = await failingWorld(t, [
    { when: "Mend its code", text: fix("words.org") },
    calls(bad),
    { text: "It works." },
  ]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  assert.match((await talk.say("/jobs run self-repair")).text, /Nothing was due/);
  await talk.say("which word is it?");
  assert.match((await talk.say("/jobs run self-repair")).text, /1 proposed for review\.org/);
  const proposed = readFileSync(inbox, "utf8");
  assert.match(proposed, /^\* TODO The skill words fails: tools\.last-word\.run$/m);
  assert.match(proposed, /failed 3 times\. It said: .*\nIts input was \[\{"text":"one"\}/);
  assert.match(proposed, /A fix passed 2 tests in the jail/);
  assert.match(proposed, /\+ {6}return \(text\.split/);
  assert.match(proposed, /:ORIGIN: +agent/);
  assert.equal(readFileSync(path, "utf8"), skill);
  assert.match((await talk.say("/jobs run self-repair")).text, /Nothing was due/);
  assert.equal((await world.command(["skill", "fix", "words"])).code, 1);
  assert.equal(readFileSync(path, "utf8"), skill);
  const taken = await world.command(["skill", "fix", "words", "--yes"]);
  assert.equal(taken.code, 0, taken.err);
  assert.match(
    readFileSync(path, "utf8"),
    /\?\? ""\)\.trim\(\);[\s\S]*:test tools last-word run takes what it failed with/,
  );
  const again = await talk.say("which word is it now?");
  assert.ok(again.events.some((event) => event.type === "outcome" && event.status === "success"));
  assert.equal((await world.command(["skill", "fix", "words", "--yes"])).code, 1);
});

test("a fix that names a file of the loop is refused, and the diagnosis alone is offered", async (t) => {
  const { world, path, inbox } = await failingWorld(t, [
    { when: "Mend its code", text: fix("src/gate/judge.ts") },
  ]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("which word is it?");
  await talk.say("/jobs run self-repair");
  const proposed = readFileSync(inbox, "utf8");
  assert.match(
    proposed,
    /A fix was refused: The fix names src\/gate\/judge\.ts\. Only words\.org can be changed this way\./,
  );
  assert.equal(readFileSync(path, "utf8"), skill);
  assert.equal((await world.command(["skill", "fix", "words", "--yes"])).code, 1);
});

test("a model is asked once for a version of a skill, also after the agent began anew", async (t) => {
  const { world } = await failingWorld(t, [
    { when: "Mend its code", text: "no diff", repeat: true },
    calls(bad, bad, bad),
    { text: "It fails." },
  ]);
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    await talk.say("which word is it?");
    await talk.say("/jobs run self-repair");
  }
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("which word is it?");
  const asked = world.provider.requests.length;
  assert.match((await talk.say("/jobs run self-repair")).text, /Nothing was due/);
  assert.equal(world.provider.requests.length, asked);
});

test("the input that failed goes with the turn that it came from, and so do the proposal and the fix", async (t) => {
  for (const how of ["/forget", "/forget --derived-from"]) {
    const input = "unmistakableword";
    const given = ["last-word", { text: input }] as const;
    const world = await makeWorld(t, [
      calls(given, given, given),
      { text: "It fails." },
      { when: "Mend its code", text: fix("words.org") },
    ]);
    mkdirSync(join(world.configuration, "skills"), { recursive: true });
    mkdirSync(join(world.home, "memex"));
    writeFileSync(join(world.configuration, "skills", "words.org"), skill);
    await using agent = await world.open();
    const talk = await talkTo(agent);
    const { turn } = await talk.say("which word is it?");
    const kept = () =>
      JSON.stringify(onDatabase(world, "SELECT value FROM meta WHERE key = 'skill-troubles'"));
    assert.match(kept(), /unmistakableword/);
    assert.match((await talk.say("/jobs run self-repair")).text, /1 proposed/);
    assert.equal(filesWith(join(world.home, "memex"), input).length > 0, true);
    const end = how === "/forget" ? "" : " --for-good";
    assert.match((await talk.say(`${how} ${turn}${end}`)).text, /orgotten/);
    assert.doesNotMatch(kept(), /unmistakableword/, how);
    assert.equal((await world.command(["skill", "fix", "words", "--yes"])).code, 1);
    assert.deepEqual(filesWith(join(world.home, "memex"), input), [], how);
  }
});

test("what failed is forgotten while a model looks for a fix: no proposal and no fix has it", async (t) => {
  const release = Promise.withResolvers<void>();
  const { world, inbox } = await failingWorld(t, [
    { when: "Mend its code", text: fix("words.org"), after: release.promise },
  ]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("which word is it?");
  const asked = world.provider.requests.length;
  const job = (await talkTo(agent)).say("/jobs run self-repair");
  await world.provider.reached(asked + 1);
  await (await talkTo(agent)).say(`/forget ${said.turn}`);
  release.resolve();
  assert.match((await job).text, /Nothing was due/);
  assert.equal(existsSync(inbox), false);
  assert.deepEqual(onDatabase(world, "SELECT id FROM proposals"), []);
  assert.equal((await world.command(["skill", "fix", "words", "--yes"])).code, 1);
});

test("failures are counted over restarts, and a gate that fails is told without asking a model", async (t) => {
  const once = [calls(bad), { text: "It fails." }];
  const { world, inbox } = await failingWorld(t, []);
  world.provider.drop();
  world.provider.add(...once, ...once, ...once, { when: "Mend its code", text: "no diff" });
  for (let start = 0; start < 3; start += 1) {
    await using agent = await world.open();
    await (await talkTo(agent)).say("which word is it?");
  }
  const guard = skill
    .replace(
      /export const tools[\s\S]*?\n};\n/,
      'export const gates = { g: { effects: ["read-path"], answer: () => { throw new Error("broken"); } } };\n',
    )
    .replace(/#\+begin_src typescript :test[\s\S]*$/, "");
  writeFileSync(join(world.configuration, "skills", "guard.org"), guard);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  assert.match((await talk.say("/jobs run self-repair")).text, /1 proposed/);
  assert.match(readFileSync(inbox, "utf8"), /failed 3 times/);
  const asked = world.provider.requests.length;
  const look = ["read-file", { path: "x" }] as const;
  world.provider.add(calls(look), calls(look), calls(look), { text: "Blocked." });
  await talk.say("look at x");
  await talk.say("/jobs run self-repair");
  assert.match(readFileSync(inbox, "utf8"), /A gate is mended by you alone, so no model was asked\./);
  assert.ok(world.provider.requests.slice(asked).every(({ body }) => !body.includes("Mend its code")));
});
