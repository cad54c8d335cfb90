import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
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
  assert.match(proposed, /:ORIGIN: +untrusted/);
  assert.equal(readFileSync(path, "utf8"), skill);
  assert.match((await talk.say("/jobs run self-repair")).text, /Nothing was due/);
  assert.equal((await world.run(["skill", "fix", "words"])).code, 1);
  assert.equal(readFileSync(path, "utf8"), skill);
  const taken = await world.run(["skill", "fix", "words", "--yes"]);
  assert.equal(taken.code, 0, taken.err);
  assert.match(
    readFileSync(path, "utf8"),
    /\?\? ""\)\.trim\(\);[\s\S]*:test tools last-word run takes what it failed with/,
  );
  const again = await talk.say("which word is it now?");
  assert.ok(again.events.some((event) => event.type === "outcome" && event.status === "success"));
  assert.equal((await world.run(["skill", "fix", "words", "--yes"])).code, 1);
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
  assert.equal((await world.run(["skill", "fix", "words", "--yes"])).code, 1);
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
