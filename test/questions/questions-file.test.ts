import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { propertyOf, scanOutline } from "#org";
import { calls, named, sent, talkTo } from "../agent-world.ts";
import { entryOf, makeQuestionsWorld, property } from "./questions-world.ts";

test("each question is an entry with its action, effects, gate and times, and its state follows the answer", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.provider.add(world.asks("first.txt"), { text: "Made it." }, world.asks("second.txt"), {
    text: "Left alone.",
  });
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  await talk.say("write the first");
  const asked = await world.until(/^\* OPEN .*first\.txt/m);
  const [event] = named(talk.events, "approval-required");
  const [entry] = scanOutline(asked).headlines;
  assert.equal(entry?.todo?.word, "OPEN");
  assert.equal(entry?.todo?.done, false);
  assert.equal(propertyOf(entry?.properties ?? null, "ID"), event?.question);
  const open = entryOf(asked, /first\.txt/);
  assert.equal(property(open, "ACTION"), "write-file");
  assert.match(property(open, "EFFECTS"), /^create .*first\.txt \(can be undone\)/);
  assert.match(property(open, "GATE"), /paths/);
  assert.equal(property(open, "SESSION"), talk.session);
  assert.match(property(open, "ASKED"), /^\[\d{4}-\d\d-\d\d \w{3} \d\d:\d\d\]$/);
  assert.match(property(open, "LAPSES"), /^\[\d{4}-/);
  assert.match(open, /\+ new words/);
  assert.match(open, /The agent says: The owner asked for exactly this/);
  assert.equal(asked.includes(talk.token()), false);

  await talk.say(`/approve ${talk.token()}`);
  await world.until(/^\* APPROVED .*first\.txt/m);
  await talk.say("write the second");
  await world.until(/^\* OPEN .*second\.txt/m);
  await talk.say(`/deny ${talk.token()}`);
  const ended = await world.until(/^\* DENIED .*second\.txt/m);
  const states = scanOutline(ended).headlines.map(({ todo }) => [todo?.word, todo?.done]);
  assert.deepEqual(states, [
    ["APPROVED", true],
    ["DENIED", true],
  ]);
  assert.equal(existsSync(world.outside("second.txt")), false);
});

test("an edit of the file answers nothing: the entry says so, is as it was, and keeps the lines of its owner", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.provider.add(world.asks("edited.txt"));
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  await talk.say("write it");
  const asked = await world.until(/^\* OPEN .*edited\.txt/m);
  const edits: readonly (readonly [string, (text: string) => string])[] = [
    ["a state", (text) => text.replace("* OPEN ", "* APPROVED ")],
    ["a state of Org", (text) => text.replace("* OPEN ", "** DONE ")],
    ["another file", (text) => text.replaceAll("edited.txt", "harmless.txt")],
    ["no entry", (text) => text.slice(0, text.indexOf("\n*") + 1)],
    ["no keywords", (text) => text.replace(/^#\+TODO.*\n/m, "")],
    ["nothing", () => ""],
    ["a copy", (text) => text + text.slice(text.indexOf("\n*") + 1).replaceAll("edited.txt", "copy.txt")],
  ];
  for (const [name, edit] of edits) {
    world.write(edit(`${world.read()}My own words.\n`));
    await agent.beat();
    const isWrong = () =>
      /harmless|copy|^\*+ (?:APPROVED|DONE) /m.test(world.read()) ||
      !/^#\+TODO[\s\S]*^\*+ OPEN /m.test(world.read());
    for (let tries = 0; isWrong(); tries += 1) {
      assert.ok(tries < 600, `${name}:\n${world.read()}`);
      await pause(50);
      await agent.beat();
    }
    const text = world.read();
    assert.equal(text.match(/^\*+ OPEN /gm)?.length, 1, name);
    assert.match(text, /edited\.txt/, name);
    assert.equal(text.includes("My own words."), name !== "no entry" && name !== "nothing", name);
    if (name === "a state") {
      assert.match(
        text,
        /This edit did not answer the question\.$[\s\S]*^Answer with C-c C-t here in Emacs/m,
      );
      assert.equal(text.match(/My own words/g)?.length, 1);
    }
    assert.equal(text.match(/^#\+TODO/gm)?.length, 1, name);
  }
  assert.equal(existsSync(world.outside("edited.txt")), false);
  assert.equal((await agent.openQuestions()).length, 1);
  assert.ok(asked !== "");
});

test("the state follows where no daemon runs, too: each command writes the file before it ends", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.provider.add(world.asks("alone.txt"), { text: "Left alone." });
  const { out, err } = await world.command(["ask", "write it"]);
  assert.match(world.read(), /^\* OPEN .*alone\.txt/m);
  const [, token = ""] = /passepartout deny ([\w-]{22,})/.exec(out + err) ?? [];
  assert.equal((await world.command(["deny", token])).code, 0);
  assert.match(world.read(), /^\* DENIED .*alone\.txt/m);
});

test("what the agent writes into the file answers nothing, and what it reads there is no power", async (t) => {
  const world = await makeQuestionsWorld(t);
  const file = join(world.notes, "questions.org");
  world.provider.add(
    world.asks("wanted.txt"),
    calls(["edit-file", { path: file, old: "* OPEN ", new: "* APPROVED " }]),
    { text: "I approved it." },
    calls(["read-file", { path: file }]),
    { text: "I read it." },
  );
  await using agent = await world.serve();
  await agent.startUpkeep();
  const talk = await talkTo(agent);
  await talk.say("write it");
  const asked = await world.until(/^\* OPEN .*wanted\.txt/m);
  const id = property(entryOf(asked, /wanted\.txt/), "ID");
  const [event] = named(talk.events, "approval-required");
  assert.equal(event?.question, id);
  const other = await talkTo(agent);
  await other.say("mark it");
  const marked = await world.until(/This edit did not answer/);
  assert.match(marked, /^\* OPEN .*wanted\.txt/m);
  await other.say("read the questions");
  const seen = sent(world, 4);
  assert.match(seen, new RegExp(id));
  assert.equal(seen.includes(talk.token()), false);
  // The name of a question is no token, whoever says it.
  for (const words of [`/approve ${id}`, `/approve ${id.slice(9)}`, `/always ${id} keep`]) {
    const { text } = await other.say(words);
    assert.match(text, /This token (?:is not known|belongs to no open question)/, words);
  }
  assert.equal(existsSync(world.outside("wanted.txt")), false);
  assert.equal((await agent.openQuestions()).length, 1);
});
