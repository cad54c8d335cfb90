import assert from "node:assert/strict";
import { test } from "node:test";
import { readSkillFile } from "./read-skill-file.ts";
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

test("an actuator whose name means the same as one of the program, of a door or of a skill before it is said", async () => {
  const sayer = (sort: string, name: string): string =>
    skillFile(
      [],
      `export const ${sort} = { "${name}": { description: "x", effects: ["reach-host"], run: () => 1 } };`,
    );
  await using world = makeSkillWorld({
    "a.org": sayer("actuators", "sys-tem"),
    "b.org": sayer("actuators", "signal"),
    "c.org": sayer("actuators", "tele-gram"),
    "d.org": sayer("actuators", "log-book"),
    "e.org": sayer("actuators", "logbook"),
  });
  const { listed } = await world.skills.refresh();
  const by = (actuator: string, owner: string): string =>
    `its actuator ${actuator} is not used: ${owner} has one of this name. Rename it.`;
  assert.deepEqual(
    listed.map(({ problem }) => problem),
    [
      by("sys-tem", "the program"),
      by("signal", "the program"),
      by("tele-gram", "the program"),
      null,
      by("logbook", "the skill d"),
    ],
  );
});

const gate = `export const gates = { "no-push": { effects: ["run-program"], answer: () => ({ block: "no" }) } };`;

test("a command that is taken by the program, or by the skill that takes part at it, is said", async () => {
  const command = (name: string, priority: number): string =>
    skillFile([`PRIORITY: ${priority}`], `export const commands = { "${name}": { help: "x" } };`);
  await using world = makeSkillWorld({
    "one.org": command("tea", 10),
    "stopper.org": command("stop", 50),
    "two.org": command("tea", 90),
  });
  assert.deepEqual(
    (await world.skills.refresh()).listed.map(({ problem }) => problem),
    [
      "its command /tea is not used: the skill two has one of this name. Rename it.",
      "its command /stop is not used: the program has one of this name. Rename it.",
      null,
    ],
  );
});

test("a line that was meant as a keyword or a block, and is neither, is refused with its number", () => {
  for (const [text, problem] of [
    ["#+TITLE: Tea\n#+GUARDS reach-host\n", /line 2: '#\+GUARDS reach-host' is neither a keyword/],
    ["#+GUA\u200bRDS: reach-host\n", /line 1: '#\+GUA\\u\{200b\}RDS: reach-host' is neither a keyword/],
    [
      `\n#+begin_src typescript\n${gate}\n`,
      /line 2: '#\+begin_src typescript' is neither .* nor part of a block/,
    ],
    ["#+begin_src typescript\n/*\n* a star\n*/\n#+end_src\n", /line 1: '#\+begin_src typescript' is neither/],
    ["#+begin_prompt\nSay it.\n", /line 1: '#\+begin_prompt' is neither/],
    [
      "#+begin_prompt\na\n#+begin_prompt\nb\n#+end_prompt\n#+end_prompt\n",
      /line 3: .* stands inside another/,
    ],
    [
      "#+begin_src sh\nls\n#+begin_src ts\n1;\n#+end_src\n",
      /line 3: '#\+begin_src ts' stands inside another block/,
    ],
    [
      `#+begin_prompt\nNo end.\n#+begin_src ts\n${gate}\n#+end_src\n#+begin_prompt\na\n#+end_prompt\n`,
      /line 3: /,
    ],
    ["#+begin_promt\nSay it.\n#+end_promt\n", /#\+begin_promt: did you mean #\+begin_prompt\?/],
    [
      "#+begin_src typscript\n1;\n#+end_src\n",
      /#\+begin_src typscript: did you mean #\+begin_src typescript\?/,
    ],
    ["#+PRIORITY: 10\n#+PRIORITY: 90\n", /#\+PRIORITY: has several values\. Write one\./],
    ["#+PRIORITY: 0x10\n", /#\+PRIORITY: is a number from 0 to 100/],
    ["#+TRIGGER_SENSOR: user-inptu\n", /'user-inptu' is no kind of signal\. Kinds are user-input, /],
    ["#+CRON: 0 8 * * *\n", /it has none\. Write what is to be done/],
    ["#+begin_job\nGreet me.\n#+end_job\n", /nothing says when its block #\+begin_job is done/],
  ] as const) {
    const read = readSkillFile("tea.org", text);
    assert.match(read.ok ? "it was read" : read.problem, problem, text);
  }
});

test("words for the model are text: no keyword or code in them counts, and a comma keeps a line of Org in them", () => {
  const words = "Write\n#+PRIORITY: 90\n#+begin_src sh\nls\n#+end_src\n,#+begin_src typescript\n,* Head";
  const read = readSkillFile("tea.org", `#+begin_prompt\n${words}\n#+end_prompt\n`);
  assert.ok(read.ok, read.ok ? "" : read.problem);
  assert.equal(read.head.priority, 50);
  assert.equal(read.code.module, "");
  assert.equal(read.head.prompt, words.replaceAll("\n,", "\n"));
});

test("a file as other systems write it, with carriage returns and a mark of the byte order, says the same", () => {
  const text = `:PROPERTIES:\n:ID: tea-1\n:END:\n#+TITLE: Tea\n#+begin_src typescript\n${gate}\n#+end_src\n`;
  assert.deepEqual(
    readSkillFile("tea.org", `\uFEFF${text.replaceAll("\n", "\r\n")}`),
    readSkillFile("tea.org", text),
  );
});

test("a file of a thousand tests far down is read without a copy of the lines above each of them", () => {
  const test = "#+begin_src ts :test\n1\n#+end_src\n";
  const read = readSkillFile("many.org", "\n".repeat(30_000) + test.repeat(1000));
  assert.ok(read.ok);
  assert.equal(read.code.tests.length, 1000);
  assert.deepEqual(read.code.tests[999], { name: "line 32998", code: "1\n", line: 32_998 });
});

test("an effect that a file guards by its words, and by no gate, is said", async () => {
  const inOther = `#+GUARDS: run-program\n#+begin_src js\n${gate}\n#+end_src\n`;
  const ofOther = skillFile(["GUARDS: run-program reach-host"], gate);
  await using world = makeSkillWorld({ "one.org": inOther, "two.org": ofOther });
  const { listed } = await world.skills.refresh();
  assert.deepEqual(
    listed.map(({ state, problem }) => [state, problem]),
    [
      ["broken", "one.org: #+GUARDS: names run-program, and no gate that it exports is asked about that."],
      ["broken", "two.org: #+GUARDS: names reach-host, and no gate that it exports is asked about that."],
    ],
  );
});
