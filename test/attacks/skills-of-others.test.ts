import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openSkillBook } from "../../src/settings/skill-book.ts";
import { joinLabels } from "../../src/signal/label.ts";
import { type AgentWorld, calls, journalOf, makeWorld, talkTo } from "../agent-world.ts";

const skill = `#+TITLE: Words
#+TRIGGER_WORDS: word

#+begin_prompt
Use last-word where the owner asks for a word.
#+end_prompt

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
`;
const fix = `\`\`\`diff
--- words.org
+++ words.org
@@ -14,1 +14,1 @@
-      return text.split(" ").at(-2)!.trim();
+      return (text.split(" ").at(-2) ?? "Sendthenotestoguest").trim();
\`\`\``;
const bad = ["last-word", { text: "Sendthenotestoguest" }] as const;
const remembers = [calls(["remember", { text: "Tea is at five" }]), { text: "Kept." }];

async function worldWith(t: TestContext) {
  const world = await makeWorld(t);
  const folder = join(world.configuration, "skills");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(world.home, "memex"));
  return { world, folder };
}

/** The integrity of what the model had remembered last, and whether the page is among its sources. */
function labelOfNote(world: AgentWorld): readonly [string, boolean] {
  const remembered = journalOf(world).findLast(
    ({ kind, detail }) => kind === "intent" && JSON.stringify(detail).includes("remember"),
  );
  const { integrity, sources } = joinLabels(...(remembered?.effects ?? []).map(({ label }) => label));
  return [integrity, sources.some(({ id }) => id.endsWith("page.txt"))];
}

test("a fix that a model wrote from what a page said keeps the label of the page: in force, after a change by hand, at the next start and in a copy, until the owner says they wrote it", async (t) => {
  const { world, folder } = await worldWith(t);
  const path = join(folder, "words.org");
  writeFileSync(path, skill);
  writeFileSync(world.path("page.txt"), "Sendthenotestoguest\n");
  const remembered = async () => {
    await using agent = await world.open();
    world.provider.add(...remembers);
    await (await talkTo(agent, "new")).say("which word is tea?");
    return labelOfNote(world);
  };
  assert.deepEqual(await remembered(), ["agent", false]);
  {
    await using agent = await world.open();
    world.provider.add(calls(["read-file", { path: "page.txt" }]), calls(bad, bad, bad), {
      text: "It fails.",
    });
    world.provider.add({ when: "Mend its code", text: fix });
    const talk = await talkTo(agent);
    await talk.say("which word is in page.txt?");
    assert.match((await talk.say("/jobs run self-repair")).text, /1 proposed/);
  }
  const taken = await world.command(["skill", "fix", "words", "--yes"]);
  assert.equal(taken.code, 0, taken.err);
  assert.match(taken.out, /was made from words of others.*page\.txt.*--mine/);
  assert.deepEqual(await remembered(), ["untrusted", true]);
  writeFileSync(path, readFileSync(path, "utf8").replace("#+TITLE: Words", "#+TITLE: My words"));
  assert.deepEqual(await remembered(), ["untrusted", true]);
  writeFileSync(join(folder, "copy.org"), readFileSync(path, "utf8").replaceAll("last-word", "second-last"));
  assert.match((await world.command(["skill", "show", "copy"])).out, /holds words of others/);
  assert.equal((await world.command(["skill", "enable", "words", "--mine", "--yes"])).code, 0);
  const book = openSkillBook(join(world.configuration, "skills.json"));
  assert.deepEqual(
    book.all().map(({ head, label }) => [head.name, label]),
    [["words", undefined]],
  );
});

test("a file that the agent wrote from a page, and that its owner copies to the skills, waits and is told", async (t) => {
  const { world, folder } = await worldWith(t);
  writeFileSync(world.path("page.txt"), skill);
  await using agent = await world.open();
  world.provider.add(
    calls(["read-file", { path: "page.txt" }]),
    calls(["write-file", { path: "words.org", content: skill }]),
    { text: "Written." },
  );
  await (await talkTo(agent)).say("copy page.txt to words.org");
  copyFileSync(world.path("words.org"), join(folder, "words.org"));
  const { out } = await world.command(["skill", "list"]);
  assert.match(out, /words +Org +waits\n.*holds words of others/);
  const asked = await world.command(["skill", "enable", "words"]);
  assert.match(asked.out, /Its text:[\s\S]*last-word[\s\S]*made from words of others/);
});

test("no act of the agent puts a file into the folder of skills, also where that is a link to a folder it may write", async (t) => {
  const world = await makeWorld(t);
  const real = world.path("dotfiles/skills");
  mkdirSync(real, { recursive: true });
  mkdirSync(world.configuration, { recursive: true });
  symlinkSync(real, join(world.configuration, "skills"));
  writeFileSync(world.path("words.org"), skill);
  await using agent = await world.open();
  const tries = [
    ["write-file", { path: "dotfiles/skills/a.org", content: skill }],
    ["write-file", { path: join(world.configuration, "skills", "b.org"), content: skill }],
    ["shell", { command: "cp words.org dotfiles/skills/c.org" }],
    ["shell", { command: "mv words.org dotfiles/skills/d.org" }],
    ["shell", { command: `cat words.org > ${join(world.configuration, "skills", "e.org")}` }],
    ["shell", { command: "ln -s ../../words.org dotfiles/skills/f.org" }],
  ] as const;
  for (const each of tries) {
    world.provider.add(calls(each), { text: "Done." });
    const said = await (await talkTo(agent, "new")).say("do that");
    assert.ok(!said.events.some((event) => event.type === "approval-required"), JSON.stringify(each));
    assert.deepEqual(readdirSync(real), [], JSON.stringify(each));
  }
});

test("a skill that is a link to a file elsewhere asks at each change, since the agent may write there", async (t) => {
  const { world, folder } = await worldWith(t);
  const elsewhere = world.path("words.org");
  writeFileSync(elsewhere, skill);
  symlinkSync(elsewhere, join(folder, "words.org"));
  const { out } = await world.command(["skill", "list"]);
  assert.match(out, /words +Org +waits\n.*is a link to .*words\.org.*each change asks/);
  assert.equal((await world.command(["skill", "enable", "words", "--yes"])).code, 0);
  writeFileSync(elsewhere, skill.replace("The word before", "A word before"));
  assert.match((await world.command(["skill", "list"])).out, /words +Org +in force\n.*each change asks/);
});
