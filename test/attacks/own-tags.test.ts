import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";

test("a note that the owner tags as private is filed as private, and its words are withheld everywhere", async (t) => {
  const world = await makeWorld(t, [
    calls(["recall", { query: "locker code" }], ["read-file", { path: "../memex/inbox.org" }]),
    { text: "I do not know it." },
    { text: "No." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("/note my locker code is quince-4711 :@personal:");
  assert.match(readFileSync(join(world.home, "memex/inbox.org"), "utf8"), /^\* .* quince-4711 :@personal:$/m);
  assert.equal((await talk.say("what is it?")).text, "I do not know it.");
  await (await talkTo(daemon, "two")).say("do you?");
  for (const index of world.provider.requests.keys()) assert.doesNotMatch(sent(world, index), /quince/);
});

test("a privacy tag counts wherever the owner writes it in a note, and a word that only looks like one does not", async (t) => {
  const world = await makeWorld(t, [
    calls(["read-file", { path: "../memex/inbox.org" }], ["recall", { query: "locker code" }]),
    { text: "I do not know it." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const words of [
    "my locker code\nis quince-4711 :@personal:",
    "my locker code is quince-4711 :@personal:.",
    "my locker code is quince-4711\u00a0:@personal:",
    ":@personal: my locker code is quince-4711",
    "my locker code is quince-4711 (:work:@personal:)",
    "my locker code is quince-4711 #@personal",
  ])
    await talk.say(`/note ${words}`);
  await talk.say("/note the @personal trainer comes at 8");
  const inbox = readFileSync(join(world.home, "memex/inbox.org"), "utf8");
  const titles = inbox.split("\n").filter((line) => line.startsWith("* "));
  assert.equal(titles.filter((line) => line.endsWith(" :@personal:")).length, 6);
  assert.equal(titles.at(-1), "* the @personal trainer comes at 8");
  assert.match(inbox, /^ {2}is quince-4711 :@personal:$/m, "no word of the owner is lost");
  await talk.say("what is it?");
  for (const index of world.provider.requests.keys()) assert.doesNotMatch(sent(world, index), /quince/);
});

const code = "wombats-4711";

test("words that the owner tags as private are sent to no model that is not local, unless they say so", async (t) => {
  const world = await makeWorld(t, [{ text: "Good morning." }, { text: "Kept." }, { text: "Yes." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const words of [
    `remember that my code is ${code} :@personal:`,
    `* Health :@personal:\n${code}`,
    `#+filetags: :@personal:\n${code}`,
    `my code is ${code} #@personal`,
    `@personal: my code is ${code}`,
    `my code is ${code} ：@personal：`,
    `my code is ${code} :crypt:`,
  ]) {
    const held = await talk.say(words);
    assert.equal(held.code, "private-words", words);
    assert.match(
      held.text,
      /Nothing was sent\. Your words are tagged as private, and loop is not local:\n.*wombats.*\n.*\/send.*\/note/,
    );
  }
  assert.equal((await talk.say("Good morning")).end, "answered");
  assert.doesNotMatch(sent(world, 0), /wombats/, "nor is it told later");
  await talk.say(`my code is ${code} :@personal:`);
  assert.equal((await talk.say("/send")).text, "Kept.");
  assert.match(sent(world, 1), /my code is wombats-4711 :@personal:/);
  assert.equal(
    (await talk.say("in std::crypt::hash the label private: of C++ and #include stay")).text,
    "Yes.",
  );
});

test("a local model gets words that the owner tags as private, and what it keeps of them is private", async (t) => {
  const world = await makeWorld(
    t,
    [calls(["remember", { text: `the code is ${code}` }]), { text: "Kept." }, { text: "No." }],
    { LOOP_LOCAL: "true" },
  );
  {
    await using daemon = await world.open();
    assert.equal((await (await talkTo(daemon)).say(`remember my code ${code} :@personal:`)).text, "Kept.");
    assert.match(sent(world, 0), /wombats/);
  }
  world.provider.add(calls(["read-file", { path: "../memex/inbox.org" }]), { text: "No." });
  await using daemon = await world.open({ LOOP_LOCAL: "false" });
  await (await talkTo(daemon, "two")).say("what is my code?");
  for (const index of world.provider.requests.keys())
    if (index > 1) assert.doesNotMatch(sent(world, index), /wombats/);
});

test("a reason that the owner tags as private is told to no model that is not local, and the owner is told so", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../one.txt", content: "words" }]),
    { text: "Well." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("write it")).end, "approval-required");
  assert.equal((await talk.say(`/deny ${talk.token()} because ${code} :@personal:`)).text, "Well.");
  assert.match(
    named(talk.events, "thinking")
      .map(({ text }) => text)
      .join("\n"),
    /Your reason is tagged as private: only a local model is told it\./,
  );
  for (const index of world.provider.requests.keys()) assert.doesNotMatch(sent(world, index), /wombats/);
});

test("a skill is drafted from words that the owner tags as private by a local model alone", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const { text } = await talk.say(`/skill new foo when I say ${code} :@personal:`);
  assert.match(text, /No draft of foo was made: Nothing was sent/);
  assert.equal(world.provider.requests.length, 0);
});

test("a job whose words or entry the owner tags as private is run by a local model alone", async (t) => {
  const { world, agent } = await openJobs(t, [{ text: "Told." }], () => [
    entry("tell", `say that my code is ${code} :@personal:`),
    entry("diary :@personal:", `say that my code is ${code}`),
  ]);
  for (const name of ["tell", "diary"]) {
    await jobsOf(agent, { verb: "add", name });
    const { state, reason } = await outcomeOf(agent, name);
    assert.equal(state, "failed", name);
    assert.match(reason, /Nothing was sent\. Your words are tagged as private, and loop is not local/);
  }
  assert.equal(world.provider.requests.length, 0);
});

test("a Markdown note with a privacy tag in its head, or as a hashtag, is withheld, however it is read", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["read-file", { path: "../memex/a.md" }],
      ["read-file", { path: "../memex/b.md" }],
      ["read-file", { path: "../memex/c.md" }],
      ["search-files", { path: "../memex", pattern: "wom.ats" }],
      ["shell", { cmd: "tail -n 1 ../memex/a.md" }],
    ),
    { text: "I do not know." },
  ]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "a.md"), `---\ntags: ["@personal"]\n---\n# Health\n${code}\n`);
  writeFileSync(join(memex, "b.md"), `---\ntags:\n  - work\n  - "@personal"\n---\n${code}\n`);
  writeFileSync(join(memex, "c.md"), `# Health\n${code} #@personal\n`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  let said = await talk.say("what is my code?");
  while (said.end === "approval-required") said = await talk.say(`/approve ${talk.token()}`);
  assert.equal(world.provider.requests.length, 2);
  assert.doesNotMatch(sent(world, 1), /wombats/);
});
