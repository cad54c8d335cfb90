import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSkillWorld, skillFile } from "./skills.fixture.ts";

test("a misspelt keyword is refused with the one that was meant, and keywords of Org are passed over", async () => {
  for (const [text, problem] of [
    ["#+TRIGGER_WORD: tea", /#\+TRIGGER_WORD: is no keyword of a skill\. Did you mean #\+TRIGGER_WORDS:\?/],
    ["#+TRIGGERS: tea", /mean #\+TRIGGER_WORDS:\?/],
    ["#+GUARD: reach-host", /mean #\+GUARDS:\?/],
    ["#+CAPABILITY: read-file", /mean #\+CAPABILITIES:\?/],
    ["#+Hooks: heartbeat", /mean #\+HOOK:\?/],
  ] as const) {
    await using world = makeSkillWorld({ "tea.org": text });
    const [listed] = (await world.skills.refresh()).listed;
    assert.equal(listed?.state, "broken", text);
    assert.match(listed.problem ?? "", problem);
  }
  const keywords = ["AUTHOR", "DATE", "PROPERTY", "PRIORITIES", "FILETAGS", "NAME", "SUBTITLE", "STARTUP"];
  const plain = keywords.map((keyword) => `#+${keyword}: x\n`).join("");
  await using world = makeSkillWorld({ "plain.org": plain });
  assert.equal((await world.skills.refresh()).listed[0]?.state, "in force");
});

test("a tool whose name is taken by the program, or by a skill before it, is said", async () => {
  const tool = (name: string): string =>
    skillFile([], `export const tools = { "${name}": { description: "x", parameters: {}, run: () => 1 } };`);
  await using world = makeSkillWorld({
    "one.org": tool("roll"),
    "reader.org": tool("read-file"),
    "two.org": tool("roll"),
  });
  const { listed } = await world.skills.refresh();
  assert.deepEqual(
    listed.map(({ state, problem }) => [state, problem]),
    [
      ["in force", null],
      ["in force", "its tool read-file is not used: the program has one of this name. Rename it."],
      ["in force", "its tool roll is not used: the skill one has one of this name. Rename it."],
    ],
  );
});
